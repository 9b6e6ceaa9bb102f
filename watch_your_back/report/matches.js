// The list of all matches: searched, sorted, and shown a page at a time.

const PAGE = 100;
const all = data.turns.map((_, match) => match);
const largest = (pair) => (match) => Math.max(pair[0][match], pair[1][match]);
const KEYS = {
  number: (match) => match,
  reason: (match) => data.reasons[data.reason[match]],
  turns: (match) => data.turns[match],
  cpu: largest(data.cpu),
  slowest: largest(data.slowest),
  memory: largest(data.memory),
};
let chosen = all;
let shown = 0;
let sorting = { key: "number", descending: false };

/** Points of a side in a match: 1, 0.5 or 0. */
function pointsOf(match, side) {
  const winner = data.winner[match];
  if (winner >= 0) return winner === side ? 1 : 0;
  return 0.5;
}

const nameIn = (match, side) => data.agents[data.seats[side][match]];
const hasReplay = (match) => find(`replay-${match + 1}`) !== null;

function prepareSearch() {
  const option = (name, value) => make("option", { value }, name);
  data.agents.forEach((name, agent) => {
    find("agent").append(option(name, agent));
    find("other").append(option(name, agent));
  });
  data.reasons
    .map((name, reason) => [name, reason])
    .sort()
    .forEach(([name, reason]) => find("reason").append(option(name, reason)));
  find("search").addEventListener("input", search);
  find("search").addEventListener("submit", (event) => event.preventDefault());
  find("search").addEventListener("reset", () => setTimeout(search));
  find("more").addEventListener("click", () => showMore(true));
  for (const heading of document.querySelectorAll("#list th[data-key]")) {
    const button = make("button", { type: "button" }, heading.textContent);
    heading.replaceChildren(button);
    button.addEventListener("click", () => sortBy(heading.dataset.key));
  }
  search();
}

/** Show only the matches of these agents; null is anybody. */
function searchFor(agent, other) {
  find("search").reset();
  find("agent").value = agent ?? "";
  find("other").value = other ?? "";
  search();
}

function sortBy(key) {
  const descending = sorting.key === key ? !sorting.descending : key !== "number" && key !== "reason";
  sorting = { key, descending };
  search();
}

function search() {
  const number = (id) => (find(id).value === "" ? null : Number(find(id).value));
  const [agent, other, reason] = ["agent", "other", "reason"].map(number);
  const words = find("words").value.toLowerCase().split(/\s+/).filter(Boolean).map(meaning);
  const plays = (match, who) => who === null || data.seats[0][match] === who || data.seats[1][match] === who;
  chosen = all.filter(
    (match) =>
      plays(match, agent) &&
      plays(match, other) &&
      (agent === null || agent !== other) &&
      (reason === null || data.reason[match] === reason) &&
      words.every((fits) => fits(match)),
  );
  const value = KEYS[sorting.key];
  const sign = sorting.descending ? -1 : 1;
  if (sorting.key !== "number" || sorting.descending) {
    const values = new Map(chosen.map((match) => [match, value(match)]));
    chosen.sort((a, b) => {
      const [one, two] = [values.get(a), values.get(b)];
      return one < two ? -sign : one > two ? sign : a - b;
    });
  }
  for (const heading of document.querySelectorAll("#list th[data-key]")) {
    const order = sorting.descending ? "descending" : "ascending";
    if (heading.dataset.key === sorting.key) heading.setAttribute("aria-sort", order);
    else heading.removeAttribute("aria-sort");
  }
  find("found").textContent =
    chosen.length === all.length ? count(all.length, "match", "matches") : `${chosen.length} of ${count(all.length, "match", "matches")}`;
  find("list").tBodies[0].replaceChildren();
  shown = 0;
  showMore();
}

/** Whether a match has this word: in the name of an agent, in its reason, or as its number. */
function meaning(word) {
  const having = (names) => new Set(names.flatMap((name, index) => (name.toLowerCase().includes(word) ? [index] : [])));
  const [agents, reasons, number] = [having(data.agents), having(data.reasons), Number(word.replace(/^#/, ""))];
  return (match) =>
    agents.has(data.seats[0][match]) || agents.has(data.seats[1][match]) || reasons.has(data.reason[match]) || match + 1 === number;
}

function showMore(focus = false) {
  const rows = chosen.slice(shown, shown + PAGE).map(matchRow);
  find("list").tBodies[0].append(...rows);
  shown += rows.length;
  find("more").hidden = shown >= chosen.length;
  find("more").textContent = `Show ${Math.min(PAGE, chosen.length - shown)} more`;
  if (focus) rows[0]?.querySelector("a")?.focus();
}

function matchRow(match) {
  const replayed = hasReplay(match);
  const link = replayed ? make("a", { href: `#match-${match + 1}`, "aria-label": `Replay match ${match + 1}` }, `▶ ${match + 1}`) : String(match + 1);
  const both = (kind, label) => make("td", { class: kind }, ...[0, 1].map((side) => make("span", {}, label(side))));
  const won = (side) => data.winner[match] === side;
  const players = [0, 1].map((side) =>
    make("span", { class: won(side) && "won", title: nameIn(match, side) }, disc(side), nameIn(match, side)),
  );
  const gained = (side) => (data.excluded[match] ? "–" : points(pointsOf(match, side)));
  const reason = data.reasons[data.reason[match]] + (data.excluded[match] ? ` (not counted: ${data.excluded[match]})` : "");
  return make(
    "tr",
    { class: data.excluded[match] && "excluded" },
    make("td", {}, link),
    make("td", {}, ...players),
    both("number points", gained),
    make("td", {}, reason),
    make("td", { class: "number roomy" }, String(data.turns[match])),
    both("number roomy", (side) => seconds(data.cpu[side][match])),
    both("number roomy", (side) => seconds(data.slowest[side][match])),
    both("number roomy", (side) => megabytes(data.memory[side][match])),
  );
}
