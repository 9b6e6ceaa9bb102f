// Asking the server: JSON there and back, and what is wrong in its words.

export class Refused extends Error {
  constructor(answer) {
    super(answer.error ?? "the server cannot do that");
    this.errors = answer.errors ?? {};
  }
}

/** What the server answers to something that changes something. Throws Refused, also where it cannot be reached. */
export async function post(address, asked = {}) {
  return answered(() =>
    fetch(address, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(asked) }),
  );
}

/** What the server tells at an address. */
export async function get(address) {
  return answered(() => fetch(address));
}

async function answered(asking) {
  let answer;
  try {
    answer = await asking();
  } catch {
    throw new Refused({ error: "the server does not answer: is it still running?" });
  }
  const told = answer.status === 204 ? {} : await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(told);
  return told;
}

/** Everything that the server tells from now on, as it happens; `lost` is told whether the connection is gone, and whether
 * it is for good, as there is nothing more to hear at this address.
 *
 * A browser has six connections to a server at once for all its pages, so one that is not seen listens only if it `stays`.
 */
export function listen(address, hear, lost, stays = false) {
  let source = null;
  const close = () => {
    source?.close();
    source = null;
  };
  const attend = () => {
    if (!stays && document.hidden) return close();
    if (source) return;
    source = new EventSource(address);
    source.addEventListener("message", (event) => hear(JSON.parse(event.data)));
    source.addEventListener("open", () => lost(false, false));
    source.addEventListener("error", (event) => lost(true, event.target.readyState === EventSource.CLOSED));
  };
  document.addEventListener("visibilitychange", attend);
  addEventListener("pagehide", close);
  addEventListener("pageshow", attend); // also where the browser shows a page again that it has kept
  attend();
}
