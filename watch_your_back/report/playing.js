// Moving through a replay: the buttons, the keys, and the charts as scrubbers.

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
  n: () => leapTo(turningPoints().find((position) => position > here)),
  p: () => leapTo(turningPoints().findLast((position) => position < here)),
  Escape: () => leave(),
};

function leap(position) {
  stop();
  go(position);
}

function leapTo(position) {
  if (position !== undefined) leap(position);
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
  const box = find("charts").getBoundingClientRect();
  leap(Math.round(((event.clientX - box.left) / box.width) * steps.length - 0.5));
}

/** Let buttons, keys and charts do what they are for. */
function prepareReplay() {
  for (const button of document.querySelectorAll("[data-go]")) {
    button.addEventListener("click", () => ACTIONS[button.dataset.go]());
  }
  find("position").addEventListener("input", (event) => leap(Number(event.target.value)));
  for (const chart of document.querySelectorAll("#charts svg")) {
    chart.addEventListener("pointerdown", seek);
    chart.addEventListener("pointermove", (event) => event.buttons && seek(event));
  }
  find("speed").addEventListener("change", () => { if (timer) { stop(); play(); } });
  document.addEventListener("keydown", onKey);
}
