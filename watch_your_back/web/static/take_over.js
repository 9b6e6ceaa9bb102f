// Beside a replay: playing on from the position that is shown.

const more = JSON.parse(find("more").textContent);
const { source } = more;
const asked = new URLSearchParams(source);
find("save").href = `/api/record?${asked}`;

/** The last position after which somebody can act: not the end of the match, nor that of a failure. */
function link() {
  const turn = Math.min(here, game?.actions.filter((action) => action !== "resign").length ?? 0) + more.opening;
  find("over").href = `/play?${new URLSearchParams({ ...source, turn })}`;
  find("over").hidden = !more.playable || (more.finished && here >= (game?.actions.length ?? 0));
}

find("controls").after(find("take-over"));
new MutationObserver(link).observe(find("caption"), { childList: true, characterData: true, subtree: true });
link();
