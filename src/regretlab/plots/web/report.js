// The report draws its charts from the data that lie in it. In the file this follows chart.js, in one script.

const data = JSON.parse(document.getElementById("charts").textContent);
for (const place of document.querySelectorAll("[data-chart]")) chart(place, data[Number(place.dataset.chart)]);
