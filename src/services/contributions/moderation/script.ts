/** The page's script: fetches what waits, shows one at a time, and sends decisions with the reader's token, or as whoever is signed in at the console. */

/** The console passes on a megabyte at once. */
const FETCHED_AT_ONCE = 10;
const ASSIGNMENTS_MAX = 100;

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
  let csrf;

  const JSON_TYPE = { "content-type": "application/json" };
  const askByToken = async (path, body) => {
    const headers = { authorization: "Bearer " + token.value.trim(), ...(body && JSON_TYPE) };
    const answer = await fetch(base + path, body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers });
    return { status: answer.status, header: (name) => answer.headers.get(name), answered: await answer.json().catch(() => ({})) };
  };
  const askByConsole = async (path, body) => {
    const wanted = { path: base + path, ...(body ? { method: "POST", headers: JSON_TYPE, body: JSON.stringify(body) } : { method: "GET" }) };
    const headers = { ...JSON_TYPE, "x-medley-csrf": csrf };
    const answer = await fetch("/_medley/try", { method: "POST", headers, body: JSON.stringify(wanted) });
    if (!answer.ok) throw new Error("The session at the console has ended.");
    const tried = await answer.json();
    return { status: tried.status, header: (name) => tried.answer.headers[name], answered: JSON.parse(tried.answer.body || "{}") };
  };
  const ask = async (path, body) => {
    const { status, header, answered } = await (csrf ? askByConsole : askByToken)(path, body);
    if (status < 300) return { header, answered };
    throw new Error(status === 401 ? "This token is not valid." : answered.message || "The server answered " + status + ".");
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
    const { header, answered } = await ask(path);
    waiting.push(...answered);
    const found = /<([^>]+)>; rel="next"/.exec(header("link") || "");
    next = found ? "/contributions" + new URL(found[1]).search : undefined;
    return Number(header("x-total-count"));
  };
  const nameAssignments = async () => {
    const { answered } = await ask("/assignments?pageSize=${ASSIGNMENTS_MAX}");
    const known = new Set([...assignment.options].map(({ value }) => value));
    assignment.append(...answered.filter(({ id }) => !known.has(id)).map(({ id, name }) => new Option(name, id)));
  };
  const begin = async () => {
    waiting = [];
    await nameAssignments();
    const query = new URLSearchParams({ moderationState: state.value, pageSize: "${FETCHED_AT_ONCE}" });
    if (assignment.value) query.set("assignment", assignment.value);
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
    ["Flags", one.flags ? [one.flags, ...(one.flagReasons || []).map(({ type, notes: why }) => type + (why ? " (" + why + ")" : ""))].join(" · ") : ""],
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
  const welcome = async () => {
    const session = await fetch("/_medley/session").then((answer) => answer.json()).catch(() => ({}));
    if (!session.signedIn) return;
    csrf = session.csrf;
    token.required = false;
    by("asking").hidden = true;
    await begin();
  };
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
  guarded(welcome);
})();
`;
