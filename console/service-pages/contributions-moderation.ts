/** Fetches pending contributions, shows one at a time, and sends decisions. */
import { momentText } from "../texts.ts";
import { ask, asked, whenSignedIn } from "./parts/asking.ts";
import { by, element, guarded, onSubmit, say, selectBy } from "./parts/page.ts";

type Artifact = { readonly label: string; readonly url: string };
type MediaUsage = { readonly media: { readonly type: string }; readonly artifacts: readonly Artifact[] };
type Contribution = {
  readonly id: string;
  readonly headline?: string;
  readonly body?: string;
  readonly created: string;
  readonly attribution?: string;
  readonly assignment?: { readonly name: string };
  readonly place?: {
    readonly name?: string;
    readonly country?: string;
    readonly latLong?: { readonly latitude: number; readonly longitude: number };
  };
  readonly flags?: number;
  readonly flagReasons?: readonly { readonly type: string; readonly notes?: string }[];
  readonly moderationHistory?: readonly {
    readonly action: { readonly label: string };
    readonly notes?: string;
  }[];
  readonly mediaUsages: readonly MediaUsage[];
};

/** The console forwards a megabyte at once. */
const FETCHED_AT_ONCE = 10;
const ASSIGNMENTS_MAX = 100;

const state = selectBy("state");
const assignment = selectBy("assignment");
const shown = by("shown");
const headline = by("headline");
const notes = by("notes", HTMLInputElement);
const base = location.pathname.replace(/\/moderation\/?$/, "");
let waiting: Contribution[] = [];
let next: string | undefined;
let current: Contribution | undefined;
let left = 0;
let isBusy = false;

async function alone(work: () => Promise<void>): Promise<void> {
  if (isBusy) return;
  isBusy = true;
  await guarded(work);
  isBusy = false;
}

async function fetchMore(path: string): Promise<number> {
  const { header, answered } = await asked<readonly Contribution[]>("GET", base + path);
  waiting.push(...answered);
  const found = /<([^>]+)>; rel="next"/.exec(header("link") || "")?.[1];
  next = found ? `/contributions${new URL(found).search}` : undefined;
  // The total is absent until the server has counted, which takes a few seconds after its start if there are many.
  return Number(header("x-total-count") || Number.NaN);
}
async function nameAssignments(): Promise<void> {
  const path = `${base}/assignments?pageSize=${ASSIGNMENTS_MAX}`;
  const answered = await ask<readonly { id: string; name: string }[]>("GET", path);
  const known = new Set([...assignment.options].map(({ value }) => value));
  const added = answered.filter(({ id }) => !known.has(id));
  assignment.append(...added.map(({ id, name }) => new Option(name, id)));
}
async function begin(): Promise<void> {
  waiting = [];
  await nameAssignments();
  const query = new URLSearchParams({ moderationState: state.value, pageSize: String(FETCHED_AT_ONCE) });
  if (assignment.value) query.set("assignment", assignment.value);
  left = await fetchMore(`/contributions?${query}`);
  await showNext();
}

function mediumOf({ media, artifacts }: MediaUsage): HTMLElement | string {
  const find = (...labels: string[]) =>
    labels.map((label) => artifacts.find((one) => one.label === label)).find(Boolean);
  const picture = find("medium", "large", "thumbnail");
  if (media.type === "video") {
    const src = find("optimised", "original")?.url ?? "";
    return element("video", { controls: true, preload: "none", src, poster: picture?.url ?? "" });
  }
  return picture ? element("img", { src: picture.url, alt: "Picture sent with it" }) : "";
}
const withReason = (what: string, why: string | undefined): string => (why ? `${what} (${why})` : what);
function placeOf({ name, country, latLong }: NonNullable<Contribution["place"]>): string {
  const point = latLong && `${latLong.latitude.toFixed(4)}, ${latLong.longitude.toFixed(4)}`;
  return [name, country, point].filter(Boolean).join(" · ");
}
function factsOf(one: Contribution): [string, string][] {
  const reasons = (one.flagReasons ?? []).map(({ type, notes: why }) => withReason(type, why));
  const before = (one.moderationHistory ?? []).map(({ action, notes: why }) => withReason(action.label, why));
  const facts: [string, string | undefined][] = [
    ["Assignment", one.assignment?.name],
    ["By", one.attribution],
    ["Came in", momentText(one.created)],
    ["Place", one.place && placeOf(one.place)],
    ["Flags", one.flags ? [one.flags, ...reasons].join(" · ") : ""],
    ["Before", before.join(", ")],
  ];
  return facts.flatMap(([name, value]) => (value ? [[name, value]] : []));
}
function wordsFor(count: number): string {
  if (Number.isNaN(count)) return "Many are left.";
  return count === 1 ? "One is left." : `${count} are left.`;
}

async function showNext(): Promise<void> {
  if (waiting.length === 0 && next) await fetchMore(next);
  current = waiting.shift();
  shown.hidden = !current;
  if (!current) return say("Nothing is left.");
  headline.textContent = current.headline || "Without a headline";
  by("text").textContent = current.body ?? "";
  by("media").replaceChildren(...current.mediaUsages.map(mediumOf));
  const facts = factsOf(current).flatMap(([name, value]) => [
    element("dt", {}, name),
    element("dd", {}, value),
  ]);
  by("facts").replaceChildren(...facts);
  notes.value = "";
  say(wordsFor(left));
  headline.focus({ preventScroll: true });
  shown.scrollIntoView();
}
async function decide(action: string): Promise<void> {
  if (!current) return;
  const path = `${base}/contributions/${current.id}/moderate`;
  await ask("POST", path, { action: { id: action }, notes: notes.value });
  left -= 1;
  await showNext();
}
async function skip(): Promise<void> {
  if (!current) return;
  left -= 1;
  await showNext();
}

onSubmit(by("choosing"), () => alone(begin));
const deeds = [
  { id: "approve", key: "a", work: () => decide("approve") },
  { id: "reject", key: "r", work: () => decide("reject") },
  { id: "flag", key: "f", work: () => decide("flag") },
  { id: "next", key: "n", work: skip },
];
for (const { id, work } of deeds) by(id).addEventListener("click", () => alone(work));
document.addEventListener("keydown", (event) => {
  const isTyping = event.target instanceof Element && /^(input|select|textarea)$/i.test(event.target.tagName);
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || !current) return;
  const deed = deeds.find(({ key }) => key === event.key.toLowerCase());
  if (!deed) return;
  event.preventDefault();
  void alone(deed.work);
});
void whenSignedIn(() => alone(begin));
