/** The page's script: fetches pending contributions, shows one at a time, and sends decisions. */
import { askingScript, pageToken } from "#kernel/html";

/** The console forwards a megabyte at once. */
const FETCHED_AT_ONCE = 10;
const ASSIGNMENTS_MAX = 100;

export const SCRIPT = askingScript(
  pageToken,
  String.raw`
  const [state, assignment, shown, headline, notes] = ["state", "assignment", "shown", "headline", "notes"].map(by);
  const base = location.pathname.replace(/\/moderation\/?$/, "");
  let waiting = [];
  let next;
  let current;
  let left = 0;
  let busy = false;

  const alone = async (work) => {
    if (busy) return;
    busy = true;
    await guarded(work);
    busy = false;
  };

  const fetchMore = async (path) => {
    const { header, answered } = await asked("GET", base + path);
    waiting.push(...answered);
    const found = /<([^>]+)>; rel="next"/.exec(header("link") || "");
    next = found ? "/contributions" + new URL(found[1]).search : undefined;
    // The total is absent until the server has counted, which takes a few seconds after its start if there are many.
    return Number(header("x-total-count") || NaN);
  };
  const nameAssignments = async () => {
    const answered = await ask("GET", base + "/assignments?pageSize=${ASSIGNMENTS_MAX}");
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
    say(left === 1 ? "One is left." : Number.isNaN(left) ? "Many are left." : left + " are left.");
    headline.focus({ preventScroll: true });
    shown.scrollIntoView();
  };
  const decide = async (action) => {
    if (!current) return;
    await ask("POST", base + "/contributions/" + current.id + "/moderate", { action: { id: action }, notes: notes.value });
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
    alone(begin);
  });
  const deeds = { a: () => decide("approve"), r: () => decide("reject"), f: () => decide("flag"), n: skip };
  for (const [id, key] of [["approve", "a"], ["reject", "r"], ["flag", "f"], ["next", "n"]])
    by(id).addEventListener("click", () => alone(deeds[key]));
  document.addEventListener("keydown", (event) => {
    const isTyping = /^(input|select|textarea)$/i.test(event.target.tagName);
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || !current) return;
    const deed = deeds[event.key.toLowerCase()];
    if (!deed) return;
    event.preventDefault();
    alone(deed);
  });
  whenSignedIn(() => alone(begin));
`,
);
