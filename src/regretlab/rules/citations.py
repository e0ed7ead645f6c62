"""The papers behind rules and recipes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Citation:
    """Where an algorithm comes from."""

    key: str
    kind: str
    authors: tuple[str, ...]  # "Family, Given"
    title: str
    where: str  # the journal, the proceedings or the publisher
    year: int

    @property
    def short(self) -> str:
        """Family names and year, as in running text."""
        families = [author.partition(",")[0] for author in self.authors]
        named = families[0] if len(families) == 1 else f"{', '.join(families[:-1])} and {families[-1]}"
        return f"{named if len(families) < 4 else f'{families[0]} et al.'} ({self.year})"

    @property
    def bibtex(self) -> str:
        """The entry for a .bib file."""
        venue = {"article": "journal", "book": "publisher"}.get(self.kind, "booktitle")
        fields = {"title": self.title, "author": " and ".join(self.authors), venue: self.where, "year": str(self.year)}
        return "\n".join(
            [f"@{self.kind}{{{self.key},", *(f"  {name} = {{{value}}}," for name, value in fields.items()), "}"]
        )


REGRET_MATCHING = Citation(
    "hart2000simple",
    "article",
    ("Hart, Sergiu", "Mas-Colell, Andreu"),
    "A Simple Adaptive Procedure Leading to Correlated Equilibrium",
    "Econometrica",
    2000,
)
CFR = Citation(
    "zinkevich2007regret",
    "inproceedings",
    ("Zinkevich, Martin", "Johanson, Michael", "Bowling, Michael", "Piccione, Carmelo"),
    "Regret Minimization in Games with Incomplete Information",
    "Advances in Neural Information Processing Systems 20",
    2007,
)
CFR_PLUS = (
    Citation(
        "tammelin2014solving",
        "article",
        ("Tammelin, Oskari",),
        "Solving Large Imperfect Information Games Using {CFR+}",
        "arXiv preprint arXiv:1407.5042",
        2014,
    ),
    Citation(
        "tammelin2015solving",
        "inproceedings",
        ("Tammelin, Oskari", "Burch, Neil", "Johanson, Michael", "Bowling, Michael"),
        "Solving Heads-up Limit {Texas} Hold'em",
        "Proceedings of the 24th International Joint Conference on Artificial Intelligence",
        2015,
    ),
    Citation(
        "burch2019revisiting",
        "article",
        ("Burch, Neil", "Moravcik, Matej", "Schmid, Martin"),
        "Revisiting {CFR+} and Alternating Updates",
        "Journal of Artificial Intelligence Research",
        2019,
    ),
)
"""The algorithm, its proof, and the proof with alternating updates."""

NORMALHEDGE = Citation(
    "chaudhuri2009parameter",
    "inproceedings",
    ("Chaudhuri, Kamalika", "Freund, Yoav", "Hsu, Daniel"),
    "A Parameter-free Hedging Algorithm",
    "Advances in Neural Information Processing Systems 22",
    2009,
)
DISCOUNTED = Citation(
    "brown2019solving",
    "inproceedings",
    ("Brown, Noam", "Sandholm, Tuomas"),
    "Solving Imperfect-Information Games via Discounted Regret Minimization",
    "Proceedings of the AAAI Conference on Artificial Intelligence",
    2019,
)
PREDICTIVE = Citation(
    "farina2021faster",
    "inproceedings",
    ("Farina, Gabriele", "Kroer, Christian", "Sandholm, Tuomas"),
    "Faster Game Solving via Predictive {Blackwell} Approachability: Connecting Regret Matching and Mirror Descent",
    "Proceedings of the AAAI Conference on Artificial Intelligence",
    2021,
)
ASYMMETRIC = Citation(
    "meng2026faster",
    "inproceedings",
    ("Meng, Linjian", "Yang, Tianpei", "Zhang, Youzhi", "Ge, Zhenxing", "Gao, Yang"),
    "Faster Game Solving via Asymmetry of Step Sizes",
    "Proceedings of the AAAI Conference on Artificial Intelligence",
    2026,
)
STABLE = Citation(
    "farina2023regret",
    "inproceedings",
    ("Farina, Gabriele", "Grand-Cl{\\'e}ment, Julien", "Kroer, Christian", "Lee, Chung-Wei", "Luo, Haipeng"),
    "Regret Matching+: (In)Stability and Fast Convergence in Games",
    "Advances in Neural Information Processing Systems 36",
    2023,
)
RESTARTED = Citation(
    "cai2023last",
    "article",
    (
        "Cai, Yang",
        "Farina, Gabriele",
        "Grand-Cl{\\'e}ment, Julien",
        "Kroer, Christian",
        "Lee, Chung-Wei",
        "Luo, Haipeng",
        "Zheng, Weiqiang",
    ),
    "Last-Iterate Convergence Properties of Regret-Matching Algorithms in Games",
    "arXiv preprint arXiv:2311.00676",
    2023,
)
DISCOUNTED_PLUS = Citation(
    "xu2024minimizing",
    "inproceedings",
    ("Xu, Hang", "Li, Kai", "Liu, Bingyun", "Fu, Haobo", "Fu, Qiang", "Xing, Junliang", "Cheng, Jian"),
    "Minimizing Weighted Counterfactual Regret with Optimistic Online Mirror Descent",
    "Proceedings of the 33rd International Joint Conference on Artificial Intelligence",
    2024,
)
SCHEDULED = Citation(
    "zhang2024faster",
    "article",
    ("Zhang, Naifeng", "McAleer, Stephen", "Sandholm, Tuomas"),
    "Faster Game Solving via Hyperparameter Schedules",
    "arXiv preprint arXiv:2404.09097",
    2024,
)
HEDGE = (
    Citation(
        "freund1997decision",
        "article",
        ("Freund, Yoav", "Schapire, Robert E."),
        "A Decision-Theoretic Generalization of On-Line Learning and an Application to Boosting",
        "Journal of Computer and System Sciences",
        1997,
    ),
    Citation(
        "cesabianchi2006prediction",
        "book",
        ("Cesa-Bianchi, Nicol{\\`o}", "Lugosi, G{\\'a}bor"),
        "Prediction, Learning, and Games",
        "Cambridge University Press",
        2006,
    ),
)
DEEP = Citation(
    "brown2019deep",
    "inproceedings",
    ("Brown, Noam", "Lerer, Adam", "Gross, Sam", "Sandholm, Tuomas"),
    "Deep Counterfactual Regret Minimization",
    "Proceedings of the 36th International Conference on Machine Learning",
    2019,
)
SINGLE_DEEP = Citation(
    "steinberger2019single",
    "article",
    ("Steinberger, Eric",),
    "Single Deep Counterfactual Regret Minimization",
    "arXiv preprint arXiv:1901.07621",
    2019,
)
MONTE_CARLO = Citation(
    "lanctot2009monte",
    "inproceedings",
    ("Lanctot, Marc", "Waugh, Kevin", "Zinkevich, Martin", "Bowling, Michael"),
    "{Monte Carlo} Sampling for Regret Minimization in Extensive Games",
    "Advances in Neural Information Processing Systems 22",
    2009,
)
