// Which part of a report an address shows: a section, the matches of agents, or the replay of a match.

let match = null; // the number of the match that is shown, from 0

const nameOf = (side) => nameIn(match, side);
const addressOf = (position) => `#match-${match + 1}${position ? `-${position}` : ""}`;

function remember(position) {
  if (location.hash !== addressOf(position)) history.replaceState(null, "", addressOf(position));
}

function leave() {
  location.hash = "#matches";
}

/** Show this match at a position, the start unless given. */
async function showMatch(wanted, at) {
  stop();
  if (wanted !== match) {
    const address = location.hash;
    const unpacked = await unpack(find(`replay-${wanted + 1}`).textContent);
    if (location.hash !== address) return; // the reader has gone elsewhere
    match = wanted;
    begin(unpacked);
    introduce();
  }
  go(at ?? 0);
}

function introduce() {
  const names = data.sides.map((side, index) => `${nameOf(index)} (${side})`);
  find("replay-title").textContent = `Match ${match + 1}: ${names.join(" v ")}`;
  find("replay-result").textContent = outcomeText();
  showNeighbours();
  showFacts([
    ["Tournament's id", data.ids && data.ids[match]],
    ["Started", game.started],
    ["Seed", game.seed],
    ["Confinement", [...new Set(game.starts.map((start) => start[2]))].join(", ")],
    ["Opening", game.opening.map(actionText).join(", ")],
  ]);
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

const title = document.title;

/** Show what the address names: a match (and a position in it), the matches of agents, or a section of the report. */
async function follow() {
  const [kind, one, two] = location.hash.slice(1).split("-");
  const [first, second] = [Number(one) - 1, Number(two)];
  const replaying = kind === "match" && hasReplay(first);
  document.title = replaying ? `Match ${first + 1} · ${title}` : title;
  hideTip();
  find("report").hidden = replaying;
  find("replay").hidden = !replaying;
  find("sections").hidden = replaying;
  find("head").hidden = replaying;
  if (replaying) {
    const fresh = first !== match;
    try {
      await showMatch(first, second || 0);
    } catch (error) {
      find("replay-title").textContent = `Match ${first + 1} cannot be shown`;
      find("replay-result").textContent = `Replays need a browser of 2023 or later (${error.message}).`;
      return;
    }
    if (fresh || document.activeElement === document.body) find("replay-title").focus({ preventScroll: true });
    if (fresh) scrollTo(0, 0);
    return;
  }
  stop();
  if (kind === "matches" && one) {
    const known = (agent) => (agent in data.agents ? agent : null);
    searchFor(known(first), two ? known(second - 1) : null);
  }
  if (kind && find(kind)) find(kind).scrollIntoView();
}

document.documentElement.classList.add("script");
prepareSearch();
prepareReplay();
addEventListener("hashchange", follow);
follow();
