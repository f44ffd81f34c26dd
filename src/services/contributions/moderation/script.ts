/** The page's script: fetches what waits, shows one at a time, and sends decisions with the reader's token. */

const FETCHED_AT_ONCE = 20;

export const SCRIPT = String.raw`"use strict";
(() => {
  const by = (id) => document.getElementById(id);
  const [token, state, assignment, told, shown, headline, notes] =
    ["token", "state", "assignment", "told", "shown", "headline", "notes"].map(by);
  const base = location.pathname.replace(/\/moderation\/?$/, "");
  const element = (name, properties, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };
  const say = (text) => { told.textContent = text; };
  let waiting = [];
  let next;
  let current;
  let left = 0;
  let busy = false;

  const ask = async (path, body) => {
    const headers = { authorization: "Bearer " + token.value.trim() };
    if (body) headers["content-type"] = "application/json";
    const answer = await fetch(path.startsWith("http") ? path : base + path,
      body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers });
    const answered = await answer.json().catch(() => ({}));
    if (answer.ok) return { answer, answered };
    throw new Error(answer.status === 401 ? "This token is not valid." : answered.message || "The server answered " + answer.status + ".");
  };
  const guarded = async (work) => {
    if (busy) return;
    busy = true;
    try {
      await work();
    } catch (error) {
      say(error instanceof TypeError ? "The server does not answer." : error.message);
    }
    busy = false;
  };

  const fetchMore = async (path) => {
    const { answer, answered } = await ask(path);
    waiting.push(...answered);
    const found = /<([^>]+)>; rel="next"/.exec(answer.headers.get("link") || "");
    next = found ? "/contributions" + new URL(found[1]).search : undefined;
    return Number(answer.headers.get("x-total-count"));
  };
  const begin = async () => {
    waiting = [];
    const query = new URLSearchParams({ moderationState: state.value, pageSize: "${FETCHED_AT_ONCE}" });
    if (assignment.value.trim()) query.set("assignment", assignment.value.trim());
    left = await fetchMore("/contributions?" + query);
    await showNext();
  };

  const mediumOf = ({ media, artifacts }) => {
    const find = (...labels) => labels.map((label) => artifacts.find((one) => one.label === label)).find(Boolean);
    const picture = find("medium", "large", "thumbnail");
    if (media.type === "video") {
      const film = find("optimised", "original");
      return element("video", { controls: true, preload: "none", src: film ? film.url : "", poster: picture ? picture.url : "" });
    }
    return picture ? element("img", { src: picture.url, alt: "Picture sent with it" }) : "";
  };
  const factsOf = (one) => [
    ["Assignment", one.assignment && one.assignment.name],
    ["By", one.attribution],
    ["Came in", new Date(one.created).toLocaleString()],
    ["Place", one.place && [one.place.name, one.place.country, one.place.latLong && one.place.latLong.latitude.toFixed(4) + ", " + one.place.latLong.longitude.toFixed(4)].filter(Boolean).join(" · ")],
    ["Flags", one.flags ? String(one.flags) : ""],
    ["Before", (one.moderationHistory || []).map(({ action, notes: why }) => action.label + (why ? " (" + why + ")" : "")).join(", ")],
  ].filter(([, value]) => value);

  const showNext = async () => {
    if (waiting.length === 0 && next) await fetchMore(next);
    current = waiting.shift();
    shown.hidden = !current;
    if (!current) return say("Nothing is left.");
    headline.textContent = current.headline || "Without a headline";
    by("text").textContent = current.body;
    by("media").replaceChildren(...current.mediaUsages.map(mediumOf));
    by("facts").replaceChildren(...factsOf(current).flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
    notes.value = "";
    say(left === 1 ? "One is left." : left + " are left.");
    headline.focus({ preventScroll: true });
    shown.scrollIntoView();
  };
  const decide = async (action) => {
    if (!current) return;
    await ask("/contributions/" + current.id + "/moderate", { action: { id: action }, notes: notes.value });
    left -= 1;
    await showNext();
  };
  const skip = async () => {
    if (!current) return;
    left -= 1;
    await showNext();
  };

  by("choosing").addEventListener("submit", (event) => {
    event.preventDefault();
    guarded(begin);
  });
  const deeds = { a: () => decide("approve"), r: () => decide("reject"), f: () => decide("flag"), n: skip };
  for (const [id, key] of [["approve", "a"], ["reject", "r"], ["flag", "f"], ["next", "n"]])
    by(id).addEventListener("click", () => guarded(deeds[key]));
  document.addEventListener("keydown", (event) => {
    const isTyping = /^(input|select|textarea)$/i.test(event.target.tagName);
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || !current) return;
    const deed = deeds[event.key.toLowerCase()];
    if (!deed) return;
    event.preventDefault();
    guarded(deed);
  });
})();
`;
