// A page with one match, whose address names the position.

const nameOf = (side) => data.agents[side];
const addressOf = (position) => `#${position}`;
const framed = location.protocol === "about:"; // in a notebook, where the address is the notebook's

function remember(position) {
  if (!framed && location.hash !== addressOf(position)) history.replaceState(null, "", addressOf(position));
}

function leave() {
  stop();
  go(here);
}

async function open() {
  try {
    begin(await unpack(find("replay-1").textContent));
  } catch (error) {
    find("result").textContent = `Replays need a browser of 2023 or later (${error.message}).`;
    find("stage").hidden = true;
    return;
  }
  showFacts(data.facts);
  const follow = () => go(Number(location.hash.slice(1)) || data.start);
  if (framed) go(data.start);
  else follow();
  addEventListener("hashchange", () => {
    stop();
    follow();
  });
}

document.documentElement.classList.add("script");
prepareReplay();
find("jumps").addEventListener("click", (event) => {
  const position = event.target.dataset?.position;
  if (position === undefined) return;
  event.preventDefault();
  leap(Number(position));
});
open();
