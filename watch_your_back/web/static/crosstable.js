// A crosstable whose cells lead to the matches of two agents: by a click, or by the arrow keys and Enter.

/** Make one of the cells reachable by Tab, the one at `wanted` if there is one. */
export function explorable(table, wanted) {
  const rows = [...table.tBodies[0].rows];
  const cells = new Map();
  rows.forEach((row, one) =>
    [...row.cells].slice(1).forEach((cell, two) => {
      if (!/^s\d/.test(cell.className)) return;
      cell.dataset.at = `${one + 1}-${two + 1}`;
      cell.tabIndex = -1;
      cell.title = "Show these matches";
      cells.set(cell.dataset.at, cell);
    }),
  );
  if (!cells.size) return;
  table.setAttribute("role", "grid");
  (cells.get(wanted) ?? cells.values().next().value).tabIndex = 0;
  const show = (cell) => {
    location.hash = `#matches-${cell.dataset.at}`;
  };
  table.addEventListener("click", (event) => {
    const cell = event.target.closest("td[data-at]");
    if (cell) show(cell);
  });
  table.addEventListener("keydown", (event) => {
    const cell = event.target;
    if (!cell.dataset.at) return;
    if (event.key === "Enter") return show(cell);
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (!step) return;
    event.preventDefault();
    let [one, two] = cell.dataset.at.split("-").map(Number);
    for (let left = rows.length; left; left -= 1) {
      [one, two] = [one + step[0], two + step[1]];
      const next = cells.get(`${one}-${two}`);
      if (!next) continue;
      cell.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
      return;
    }
  });
}
