// What a search lists first: pages and headings, then what stands in them, then the names of the package.
var Scorer = {
  objNameMatch: 4,
  objPartialMatch: 2,
  objPrio: { 0: 1, 1: 0, 2: -2 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 9,
  term: 5,
  partialTerm: 2,
};
