// Moving through a replay: the timeline, the buttons, the keys, and which part of the page an address shows.

function drawTimeline() {
  const turns = Math.max(steps.length - 1, 1);
  const longest = [0, 1].map((side) => Math.max(0, ...game.cpu.filter((_, index) => game.sides[index] === side)));
  const svg = find("timeline");
  svg.setAttribute("viewBox", `-0.5 -50 ${turns + 1} 100`);
  const bars = ["", ""];
  game.cpu.forEach((cpu, index) => {
    const side = game.sides[index];
    const height = Math.max((46 * cpu) / longest[side], 0.8) * (side ? 1 : -1);
    bars[side] += `M${index + 1} 0V${height.toFixed(1)}`;
  });
  const width = Math.max(1, Math.min(6, 400 / turns));
  const paths = bars.map((d, side) => draw("path", { class: `time${side}`, d, "stroke-width": width }));
  const spoken = new Set(game.outputs.map((output) => positionOf(output[0])));
  const dots = [...spoken].map((at) => draw("rect", { class: "spoke", x: at - 0.3, y: -50, width: 0.6, height: 5 }));
  const middle = draw("line", { class: "middle", x1: -0.5, x2: turns + 0.5, y1: 0, y2: 0 });
  svg.replaceChildren(middle, ...paths, ...dots, draw("line", { class: "here", x1: 0, x2: 0, y1: -50, y2: 50 }));
  const [up, down] = data.sides.map((name, side) => `${name} (up to ${seconds(longest[side] / 1e6)})`);
  const printed = spoken.size ? " Marks at the top edge: something was printed." : "";
  find("scale").textContent = game.cpu.length ? `CPU time of each turn: above ${up}, below ${down}.${printed}` : "";
}

function stop() {
  clearInterval(timer);
  timer = null;
  find("caption").setAttribute("aria-live", "polite");
  find("play").setAttribute("aria-label", "Play (space)");
  find("play-sign").setAttribute("d", "M5 3l8 5-8 5z");
}

function play() {
  if (timer) {
    stop();
    go(here);
    return;
  }
  if (here === steps.length - 1) go(0);
  find("caption").setAttribute("aria-live", "off");
  find("play").setAttribute("aria-label", "Stop (space)");
  find("play-sign").setAttribute("d", "M4 3h3v10H4zM9 3h3v10H9z");
  timer = setInterval(() => {
    go(here + 1);
    if (here === steps.length - 1) {
      stop();
      go(here);
    }
  }, Number(find("speed").value));
}

const ACTIONS = {
  start: () => leap(0),
  back: () => leap(here - 1),
  forward: () => leap(here + 1),
  end: () => leap(steps.length - 1),
  play,
};
const ON_KEY = {
  ArrowLeft: ACTIONS.back,
  ArrowRight: ACTIONS.forward,
  Home: ACTIONS.start,
  End: ACTIONS.end,
  PageUp: () => leap(here - 10),
  PageDown: () => leap(here + 10),
  " ": play,
  Escape: () => { location.hash = "#matches"; },
};

function leap(position) {
  stop();
  go(position);
}

function onKey(event) {
  if (find("replay").hidden || !game || event.altKey || event.ctrlKey || event.metaKey) return;
  const own = event.target.closest("select, input:not(#position), pre, .scroll");
  const presses = event.key === " " && event.target.closest("button, summary, a");
  if (own || presses || !(event.key in ON_KEY)) return;
  event.preventDefault();
  ON_KEY[event.key]();
}

function seek(event) {
  const box = find("timeline").getBoundingClientRect();
  leap(Math.round(((event.clientX - box.left) / box.width) * steps.length - 0.5));
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
for (const button of document.querySelectorAll("[data-go]")) {
  button.addEventListener("click", () => ACTIONS[button.dataset.go]());
}
find("position").addEventListener("input", (event) => leap(Number(event.target.value)));
find("timeline").addEventListener("pointerdown", seek);
find("timeline").addEventListener("pointermove", (event) => event.buttons && seek(event));
find("speed").addEventListener("change", () => { if (timer) { stop(); play(); } });
document.addEventListener("keydown", onKey);
addEventListener("hashchange", follow);
follow();
