/** Keeps the page up to date: is told of changes by server-sent events, and puts in what is new. */

/** Without the stream the page looks for itself, less often. */
const RELOAD_MS = 20_000;

export const SCRIPT = `(() => {
  const state = document.getElementById("state");
  const address = location.pathname.replace(/\\/$/, "") + "/stream";
  let shown = document.getElementById("content").dataset.version;
  let isBusy = false;
  let wanted = shown;
  const say = (word, text) => { state.dataset.state = word; state.textContent = text; };
  const put = (page) => {
    for (const part of document.querySelectorAll("[data-part]")) {
      const other = page.querySelector('[data-part="' + part.dataset.part + '"]');
      if (!other || other.outerHTML === part.outerHTML) continue;
      for (const open of part.querySelectorAll("details[open]")) {
        const same = other.querySelector('details[data-name="' + open.dataset.name + '"]');
        if (same) same.open = true;
      }
      part.replaceWith(document.adoptNode(other));
    }
  };
  const refresh = async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      do {
        const goal = wanted;
        const answer = await fetch(location.href, { cache: "no-store", headers: { accept: "text/html" } });
        if (!answer.ok) break;
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        put(page);
        shown = page.getElementById("content").dataset.version;
        if (goal === wanted) wanted = shown;
      } while (wanted !== shown);
    } catch { /* the next change or look brings it */ } finally { isBusy = false; }
  };
  const stream = new EventSource(address);
  stream.addEventListener("version", ({ data }) => {
    say("live", "Live");
    wanted = data;
    if (wanted !== shown) refresh();
  });
  stream.addEventListener("error", () => say("waiting", "Waiting for news"));
  setInterval(() => {
    if (stream.readyState !== EventSource.CLOSED) return;
    say("looking", "Looking every " + ${RELOAD_MS / 1000} + " seconds");
    wanted = "";
    refresh();
  }, ${RELOAD_MS});
})();`;
