// The replay of one match: unpacked when it is first looked at, then a position for each turn.

let match = null; // the number of the match that is shown, from 0
let game = null; // its unpacked replay
let steps = []; // for each position: {ply, side, text, last, gone, failed}
let boards = []; // for each position: the index of the content of each cell
let here = 0;
let timer = null;
let speaking = true;

const placeOf = new Map(data.board.ids.map((id, cell) => [JSON.stringify(id), cell]));

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}

/** Show this match at a position, the start unless given. */
async function showMatch(wanted, at) {
  stop();
  if (wanted !== match) {
    const address = location.hash;
    const unpacked = await unpack(find(`replay-${wanted + 1}`).textContent);
    if (location.hash !== address) return; // the reader has gone elsewhere
    [match, game] = [wanted, unpacked];
    layOut();
    introduce();
  }
  go(at ?? 0);
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

const nameOf = (side) => nameIn(match, side);

function introduce() {
  const names = data.sides.map((side, index) => `${nameOf(index)} (${side})`);
  find("replay-title").textContent = `Match ${match + 1}: ${names.join(" v ")}`;
  find("replay-result").textContent = outcomeText();
  find("position").max = steps.length - 1;
  showNeighbours();
  drawTimeline();
  showFailures();
  showJumps();
  const facts = [
    ["Tournament's id", data.ids && data.ids[match]],
    ["Started", game.started],
    ["Seed", game.seed],
    ["Confinement", [...new Set(game.starts.map((start) => start[2]))].join(", ")],
    ["Opening", game.opening.map(actionText).join(", ")],
  ].filter((fact) => fact[1]);
  find("about").replaceChildren(...facts.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
}

function outcomeText() {
  const reason = data.reasons[data.reason[match]];
  const winner = data.winner[match];
  const turns = count(data.turns[match], "turn");
  const left = data.excluded[match] ? ` This match does not count: ${data.excluded[match]}.` : "";
  const who = winner < 0 ? "Nobody won" : `${nameOf(winner)} (${data.sides[winner]}) won`;
  return `${who} after ${turns}: ${reason}.${left}`;
}

function showNeighbours() {
  const place = chosen.indexOf(match);
  const replayed = (step) => {
    for (let index = place + step; place >= 0 && index >= 0 && index < chosen.length; index += step) {
      if (hasReplay(chosen[index])) return chosen[index];
    }
    return null;
  };
  for (const [id, step] of [["previous", -1], ["next", 1]]) {
    const neighbour = replayed(step);
    find(id).hidden = neighbour === null;
    if (neighbour !== null) {
      find(id).href = `#match-${neighbour + 1}`;
      find(id).textContent = step < 0 ? `‹ Match ${neighbour + 1}` : `Match ${neighbour + 1} ›`;
    }
  }
}

/** Show a position. */
function go(position) {
  here = Math.max(0, Math.min(position, steps.length - 1));
  const step = steps[here];
  const contents = Array.from(boards[here], (content) => game.cells[content]);
  drawBoard(find("board"), data.board, contents, step.last, step.gone);
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
  showOutput(step);
  const line = find("timeline").querySelector(".here");
  line?.setAttribute("x1", here);
  line?.setAttribute("x2", here);
  const address = `#match-${match + 1}${here ? `-${here}` : ""}`;
  if (!timer && location.hash !== address) history.replaceState(null, "", address);
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

/** Where there is something to see: what players printed, and each one's slowest turn. */
function showJumps() {
  const jump = (position, text) => make("a", { href: `#match-${match + 1}-${position}` }, text);
  const spoken = [...new Set(game.outputs.map((output) => positionOf(output[0])))];
  const parts = [];
  for (const side of [0, 1]) {
    const turns = game.actions.map((_, index) => index).filter((index) => game.sides[index] === side);
    if (!turns.length) continue;
    const slowest = turns.reduce((a, b) => (game.cpu[b] > game.cpu[a] ? b : a));
    const name = `slowest turn of ${data.sides[side]} (${seconds(game.cpu[slowest] / 1e6)})`;
    parts.push(parts.length ? ", " : "Go to: ", jump(slowest + 1, name));
  }
  spoken.slice(0, 12).forEach((position, index) => {
    parts.push(index ? ", " : "; output at ", jump(position, position ? `turn ${steps[position].ply + 1}` : "the start"));
  });
  if (spoken.length > 12) parts.push(` and ${spoken.length - 12} more turns`);
  find("jumps").replaceChildren(...parts);
}

const positionOf = (ply) => (ply < 0 ? 0 : Math.min(ply - game.ply + 1, steps.length - 1));

function showOutput(step) {
  const now = game.outputs.filter((output) => positionOf(output[0]) === here);
  const parts = now.flatMap(([, side, stream, text, dropped]) => [
    make("span", { class: "stream" }, `${data.sides[side]}, ${stream}:\n`),
    text.endsWith("\n") || !text ? text : `${text}\n`,
    dropped ? make("span", { class: "stream" }, `(${dropped.toLocaleString("en")} more bytes left out)\n`) : "",
  ]);
  find("output").replaceChildren(...(parts.length ? parts : [make("span", { class: "stream" }, "nothing")]));
  find("printed").hidden = !game.outputs.length;
}
