// Tables that are in the page already: sorting by a column, and the details of the crosstable.

for (const table of document.querySelectorAll("table.sortable")) makeSortable(table);
for (const table of document.querySelectorAll("table.cross")) makeExplorable(table);

function makeSortable(table) {
  const body = table.tBodies[0];
  for (const heading of table.querySelectorAll("th[data-sort]")) {
    const column = heading.cellIndex;
    const button = make("button", { type: "button" }, ...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const text = heading.dataset.sort === "text";
      const first = text || column === 0 ? "ascending" : "descending";
      const other = first === "ascending" ? "descending" : "ascending";
      const order = heading.getAttribute("aria-sort") === first ? other : first;
      for (const each of table.querySelectorAll("th[aria-sort]")) each.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", order);
      const value = (row) => {
        const cell = row.cells[column];
        return text ? cell.textContent.trim().toLowerCase() : Number(cell.dataset.value);
      };
      const sign = order === "ascending" ? 1 : -1;
      const compare = (a, b) => (text ? value(a).localeCompare(value(b)) : value(a) - value(b));
      body.append(...[...body.rows].sort((a, b) => sign * compare(a, b)));
    });
  }
}

/** Cells can be pointed at and walked through with the arrow keys; one of them at a time is in the order of Tab. */
function makeExplorable(table) {
  const rows = [...table.tBodies[0].rows];
  const place = (cell) => [cell.parentElement.sectionRowIndex, cell.cellIndex - 1];
  const played = (cell) => cell instanceof HTMLTableCellElement && /^s\d/.test(cell.className);
  const at = (row, column) => rows[row]?.cells[column + 1];
  const first = rows.flatMap((row) => [...row.cells]).find(played);
  if (!first) return;
  table.setAttribute("role", "grid");
  first.tabIndex = 0;
  let current = first;

  const open = (cell) => {
    const [row, column] = place(cell);
    location.hash = `#matches-${row + 1}-${column + 1}`;
  };
  const enter = (cell) => {
    current.tabIndex = -1;
    current = cell;
    current.tabIndex = 0;
    current.focus();
  };
  table.addEventListener("pointerover", (event) => {
    const cell = event.target.closest("td");
    if (played(cell)) showTip(cell, ...place(cell));
    else hideTip();
  });
  table.addEventListener("pointerleave", hideTip);
  table.addEventListener("focusin", (event) => played(event.target) && showTip(event.target, ...place(event.target)));
  table.addEventListener("focusout", hideTip);
  table.addEventListener("click", (event) => {
    const cell = event.target.closest("td");
    if (played(cell)) open(cell);
  });
  table.addEventListener("keydown", (event) => {
    if (!played(event.target)) return;
    if (event.key === "Escape") return hideTip();
    if (event.key === "Enter") return open(event.target);
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (!step) return;
    event.preventDefault();
    let [row, column] = place(event.target);
    for (let cell = event.target; cell; cell = at(row, column)) {
      if (cell !== event.target && played(cell)) return enter(cell);
      row += step[0];
      column += step[1];
    }
  });
}

function showTip(cell, agent, other) {
  const tip = find("tip");
  tip.replaceChildren(...meetings(agent, other).map((line) => make("p", {}, line)));
  tip.hidden = false;
  cell.setAttribute("aria-describedby", "tip");
  const box = cell.getBoundingClientRect();
  const width = document.documentElement.clientWidth;
  const left = Math.max(8, Math.min(box.left, width - tip.offsetWidth - 8));
  const above = box.top - tip.offsetHeight - 6;
  tip.style.left = `${left + scrollX}px`;
  tip.style.top = `${(above > 0 ? above : box.bottom + 6) + scrollY}px`;
}

function hideTip() {
  find("tip").hidden = true;
}

/** What is to be said of the matches of one agent against another. */
function meetings(agent, other) {
  const lines = [`${data.agents[agent]} against ${data.agents[other]}`];
  const reasons = new Map();
  data.sides.forEach((name, side) => {
    const tally = [0, 0, 0];
    for (const match of all) {
      if (data.seats[side][match] !== agent || data.seats[1 - side][match] !== other || data.excluded[match]) continue;
      const gained = pointsOf(match, side);
      tally[gained === 1 ? 0 : gained ? 1 : 2] += 1;
      const reason = data.reasons[data.reason[match]];
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    }
    const [won, drawn, lost] = tally;
    if (won + drawn + lost) lines.push(`As ${name}: won ${won}, drew ${drawn}, lost ${lost}`);
  });
  lines.push(`Ended by: ${[...reasons].map(([reason, times]) => `${reason} (${times})`).join(", ")}`);
  lines.push("Enter or a click lists these matches.");
  return lines;
}
