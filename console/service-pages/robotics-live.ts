/** Keeps the page up to date: is told of changes by server-sent events, and puts in what is new. */
import { by } from "./parts/page.ts";

/** Without the stream the page looks for itself, less often. */
const RELOAD_MS = 20_000;

const state = by("state");
const address = `${location.pathname.replace(/\/$/, "")}/stream`;
let shown = by("content").dataset.version;
let isBusy = false;
let wanted = shown;

function say(word: string, text: string): void {
  state.dataset.state = word;
  state.textContent = text;
}
function put(page: Document): void {
  for (const part of document.querySelectorAll<HTMLElement>("[data-part]")) {
    const other = page.querySelector(`[data-part="${part.dataset.part}"]`);
    if (!other || other.outerHTML === part.outerHTML) continue;
    for (const open of part.querySelectorAll<HTMLElement>("details[open]")) {
      const same = other.querySelector<HTMLDetailsElement>(`details[data-name="${open.dataset.name}"]`);
      if (same) same.open = true;
    }
    part.replaceWith(document.adoptNode(other));
  }
}
async function refresh(): Promise<void> {
  if (isBusy) return;
  isBusy = true;
  try {
    do {
      const goal = wanted;
      const answer = await fetch(location.href, { cache: "no-store", headers: { accept: "text/html" } });
      if (!answer.ok) break;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      put(page);
      shown = page.getElementById("content")?.dataset.version;
      if (goal === wanted) wanted = shown;
    } while (wanted !== shown);
  } catch {
    // The next change or look brings it.
  } finally {
    isBusy = false;
  }
}

const stream = new EventSource(address);
stream.addEventListener("version", ({ data }) => {
  say("live", "Live");
  wanted = data;
  if (wanted !== shown) void refresh();
});
stream.addEventListener("error", () => say("waiting", "Waiting for news"));
setInterval(() => {
  if (stream.readyState !== EventSource.CLOSED) return;
  say("looking", `Looking every ${RELOAD_MS / 1000} seconds`);
  wanted = "";
  void refresh();
}, RELOAD_MS);
