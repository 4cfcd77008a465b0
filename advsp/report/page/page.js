"use strict";
// A click on a heading puts the lines in order by its column, a second one the other way round.
for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0];
  const key = (line, column) => line.cells[column].textContent.trim();
  table.querySelectorAll("th").forEach((heading, column) => {
    heading.querySelector("button").addEventListener("click", () => {
      const up = heading.getAttribute("aria-sort") !== "ascending";
      for (const other of table.querySelectorAll("th")) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", up ? "ascending" : "descending");
      const lines = [...body.rows].sort((first, second) => {
        const [a, b] = [key(first, column), key(second, column)];
        const [x, y] = [parseFloat(a), parseFloat(b)];
        const order = Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b) : x - y;
        return up ? order : -order;
      });
      body.append(...lines);
    });
  });
}
