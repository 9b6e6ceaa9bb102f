// The replay of one match, position by position. Around it is a page, which says what it is called and where its positions
// have their addresses: nameOf(side), addressOf(position), remember(position) and leave() are its own.

let game = null; // the unpacked replay
let steps = []; // for each position: {ply, side, text, last, gone, failed}
let boards = []; // for each position: the index of the content of each cell
let here = 0;
let timer = null;

const placeOf = new Map(data.board.ids.map((id, cell) => [JSON.stringify(id), cell]));

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}

/** Take this match for the one that is replayed. */
function begin(unpacked) {
  game = unpacked;
  layOut();
  find("position").max = steps.length - 1;
  drawCharts();
  showFailures();
  showJumps();
}

/** What there is to know beside the turns: pairs of words, those without a value left out. */
function showFacts(facts) {
  const known = facts.filter(([, value]) => value);
  find("about").replaceChildren(...known.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
}

function layOut() {
  const board = Uint16Array.from(game.start);
  boards = [Uint16Array.from(board)];
  steps = [{ ply: -1, side: null, text: game.opening.length ? `After an opening of ${count(game.opening.length, "action")}` : "The start", last: [], gone: [] }];
  game.actions.forEach((action, index) => {
    const side = game.sides[index];
    const last = game.last[index] ?? cellsOf(action);
    const gone = [];
    const changes = game.changes[index];
    for (let k = 0; k < changes.length; k += 2) {
      const [cell, content] = [changes[k], changes[k + 1]];
      if (heightOf(content) < heightOf(board[cell]) && !last.includes(cell)) gone.push(cell);
      board[cell] = content;
    }
    boards.push(Uint16Array.from(board));
    const text = `${capital(data.sides[side])}: ${actionText(action)}`;
    steps.push({ ply: game.ply + index, side, text, last, gone });
  });
  const failed = game.failures.find((failure) => !game.actions.length || failure[0] >= game.ply + game.actions.length);
  if (failed) {
    const [ply, side, call, reason] = failed;
    boards.push(boards.at(-1));
    steps.push({ ply, side, text: `${capital(data.sides[side])}: ${reason}${within(call, reason)}`, last: [], gone: [], failed: true });
  }
}

/** The cells that an action says; `Game.cells` is the same rule. */
function cellsOf(action) {
  if (!Array.isArray(action)) return [];
  const named = action.length && action.every(Array.isArray) ? action : [action];
  return named.map((id) => placeOf.get(JSON.stringify(id))).filter((cell) => cell !== undefined);
}

/** How many pieces a content has. */
const heightOf = (content) => game.cells[content][0].reduce((sum, stack) => sum + stack[3], 0);

/** Show a position. */
function go(position) {
  here = Math.max(0, Math.min(position, steps.length - 1));
  const step = steps[here];
  const contents = Array.from(boards[here], (content) => game.cells[content]);
  drawBoard(find("board"), data.board, contents, step.last, step.gone);
  letBoardsScroll();
  const now = (changes) => changes.findLast(([at]) => at <= here)?.[1];
  const notes = now(game.notes) ?? [];
  find("notes").replaceChildren(...notes.map((note) => make("li", {}, note)));
  find("diagram").textContent = [boardText(data.board, contents, step.last), ...(notes.length ? ["", ...notes] : [])].join("\n");
  const phase = now(game.phases);
  const turn = here ? capital(moment(step.ply)) : "";
  const end = here === steps.length - 1 ? "the end" : phase && `${phase} phase`;
  find("caption").textContent = [turn, step.text, end].filter(Boolean).join(" · ");
  find("position").value = here;
  find("position").setAttribute("aria-valuetext", find("caption").textContent);
  showPlayers(step);
  showWords();
  showOutput();
  for (const line of document.querySelectorAll("#charts .here")) {
    line.setAttribute("x1", here);
    line.setAttribute("x2", here);
  }
  if (!timer) remember(here);
}

/** Several boards that are wider than the window can be scrolled, by the keyboard too; what happened is in their middle. */
function letBoardsScroll() {
  const boards = find("boards");
  const scrolls = boards.scrollWidth > boards.clientWidth + 1;
  for (const [name, value] of [["tabindex", "0"], ["role", "region"], ["aria-label", "Board"]]) {
    if (scrolls) boards.setAttribute(name, value);
    else boards.removeAttribute(name);
  }
  const [marked, all] = [boards.querySelector(".last")?.getBoundingClientRect(), boards.getBoundingClientRect()];
  if (scrolls && marked) boards.scrollLeft += marked.x + marked.width / 2 - all.x - all.width / 2;
}

/** What is said of the position: the comments, and how good the turn was. */
function showWords() {
  const said = game.comments.filter(([position]) => position === here).map(([, words]) => words);
  const judged = game.judged[here - 1];
  const parts = [];
  if (judged?.grade) parts.push(make("b", { class: "grade" }, `${capital(judged.grade)}. `));
  if (judged?.words) said.unshift(judged.words);
  find("said").replaceChildren(...parts, said.join("\n"));
}

function showPlayers(step) {
  const owned = game.pieces.flat().some((more) => more !== 0); // pieces may belong to nobody
  const rows = [0, 1].map((side) => {
    const turns = game.actions.map((_, index) => index).filter((index) => game.sides[index] === side && index < here);
    const start = game.starts.find((each) => each[0] === side)?.[1] ?? 0;
    const spent = turns.reduce((sum, index) => sum + game.cpu[index], start) / 1e6;
    const memory = turns.length ? game.memory[turns.at(-1)] / 1024 : 0;
    const pieces = owned && game.pieces[side].slice(0, here + 1).reduce((sum, more) => sum + more);
    const acts = here > 0 && step.side === side && !step.failed;
    const now = acts ? `${seconds(game.cpu[here - 1] / 1e6)}${slept(here - 1)}` : "";
    return make(
      "tr",
      { class: step.side === side && "turn" },
      make("th", { scope: "row" }, disc(side), nameOf(side)),
      make("td", { class: "number" }, owned ? String(pieces) : "–"),
      make("td", { class: "number" }, now),
      make("td", { class: "number" }, seconds(spent), limit(data.limits.cpu_s, seconds)),
      make("td", { class: "number" }, megabytes(memory), limit(data.limits.memory_mb, megabytes)),
    );
  });
  find("players").tBodies[0].replaceChildren(...rows);
}

const limit = (value, format) => value !== null && make("span", { class: "roomy" }, ` of ${format(value)}`);

/** The elapsed time of a turn, where it is much more than its CPU time. */
function slept(index) {
  const [cpu, wall] = [game.cpu[index] / 1e6, game.wall[index] / 1e6];
  return wall > 0.5 && wall > 2 * cpu ? ` (${seconds(wall)} elapsed)` : "";
}

function showFailures() {
  const parts = game.failures.flatMap(([ply, side, call, reason, detail, traceback]) => [
    make("p", {}, make("b", {}, `${nameOf(side)} (${data.sides[side]}), ${reason}`), `${within(call, reason)}, ${moment(ply)}: ${detail}`),
    traceback && make("pre", { tabindex: 0 }, traceback),
  ]);
  find("failures").replaceChildren(...parts.filter(Boolean));
}

const CALLS = new Set(["action", "update", "finish", "start", "see"]);

/** In which call a player failed, where the reason does not say so. */
function within(call, reason) {
  return reason === "illegal action" ? "" : ` in ${CALLS.has(call) ? `${call}()` : call}`;
}

const moment = (ply) => (ply < 0 ? "at the start" : `turn ${ply + 1}`);

/** Where there is something to see: turning points, what players printed, and each one's slowest turn. */
function showJumps() {
  const jump = (position, text) => make("a", { href: addressOf(position), "data-position": position }, text);
  const turnAt = (position) => (position ? `turn ${steps[position].ply + 1}` : "the start");
  const parts = [];
  const list = (lead, positions, name = turnAt) => {
    if (!positions.length) return;
    parts.push(parts.length ? `; ${lead} ` : `Go to: ${lead} `.replace("  ", " "));
    positions.slice(0, MOST_JUMPS).forEach((position, index) => parts.push(index ? ", " : "", jump(position, name(position))));
    if (positions.length > MOST_JUMPS) parts.push(` and ${positions.length - MOST_JUMPS} more turns`);
  };
  list("turning points", turningPoints(), (position) => `${steps[position].ply + 1} (${data.sides[steps[position].side]})`);
  const slowest = [0, 1].map(slowestOf).filter((index) => index !== null);
  list("slowest", slowest.map((index) => index + 1), (position) => {
    return `turn of ${data.sides[steps[position].side]} (${seconds(game.cpu[position - 1] / 1e6)})`;
  });
  list("output at", [...new Set(game.outputs.map((output) => positionOf(output[0])))]);
  find("jumps").replaceChildren(...parts);
}

const MOST_JUMPS = 12;

const turningPoints = () => game.judged.flatMap((judged, index) => (judged?.turning ? [index + 1] : []));

/** The index of the turn of a side that took the longest; null if it took none. */
function slowestOf(side) {
  const turns = game.actions.map((_, index) => index).filter((index) => game.sides[index] === side);
  return turns.length ? turns.reduce((a, b) => (game.cpu[b] > game.cpu[a] ? b : a)) : null;
}

const positionOf = (ply) => (ply < 0 ? 0 : Math.min(ply - game.ply + 1, steps.length - 1));

function showOutput() {
  const now = game.outputs.filter((output) => positionOf(output[0]) === here);
  const parts = now.flatMap(([, side, stream, text, dropped]) => [
    make("span", { class: "stream" }, `${data.sides[side]}, ${stream}:\n`),
    text.endsWith("\n") || !text ? text : `${text}\n`,
    dropped ? make("span", { class: "stream" }, `(${dropped.toLocaleString("en")} more bytes left out)\n`) : "",
  ]);
  find("output").replaceChildren(...(parts.length ? parts : [make("span", { class: "stream" }, "nothing")]));
  find("printed").hidden = !game.outputs.length;
}
