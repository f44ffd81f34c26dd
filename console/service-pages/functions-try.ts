/** The page on which functions are tried: asks the interface and the function itself. */
import { clockText } from "../texts.ts";
import { ask, send, whenSignedIn } from "./parts/asking.ts";
import { by, element, every, guarded, inputBy, onSubmit, say, selectBy } from "./parts/page.ts";

type Listed = {
  readonly functions?: readonly {
    readonly name: string;
    readonly serviceConfig?: { readonly uri?: string };
  }[];
  readonly nextPageToken?: string;
};
type Figures = Readonly<Record<string, number | undefined>>;
type Line = { readonly timestamp: string; readonly severity: string; readonly text: string };

const LOOK_MS = 2000;
const LINES_SHOWN = 50;
const FIGURES = [
  ["instances", "Processes"],
  ["busy", "Busy"],
  ["waiting", "Waiting"],
  ["requests", "Requests"],
  ["requestsPerSecond", "Per second"],
  ["errors", "Errors"],
  ["medianMs", "Median ms"],
  ["slowMs", "95 of 100 ms"],
] as const;

const project = inputBy("project");
const chosen = selectBy("function");
const call = by("call", HTMLButtonElement);
const base = location.pathname.replace(/\/try\/?$/, "");
const read = <T>(path: string): Promise<T> => ask<T>("GET", `${base}/v2/${path}`);
/** `greeter, us-central1` of `projects/demo/locations/us-central1/functions/greeter`. */
const shortName = (name: string): string => {
  const [, , , location = "", , short = name] = name.split("/");
  return `${short}, ${location}`;
};
/** Of functions that were listed, by name. */
const addresses = new Map<string, string | undefined>();

async function list(): Promise<void> {
  addresses.clear();
  const path = `projects/${encodeURIComponent(project.value.trim())}/locations/-/functions`;
  let next = "";
  do {
    const page = await read<Listed>(`${path}?pageToken=${encodeURIComponent(next)}`);
    for (const { name, serviceConfig } of page.functions ?? []) addresses.set(name, serviceConfig?.uri);
    next = page.nextPageToken ?? "";
  } while (next);
  chosen.replaceChildren(
    ...[...addresses.keys()].map((name) => element("option", { value: name, title: name }, shortName(name))),
  );
  if (addresses.size === 0) chosen.append(element("option", { value: "" }, "none"));
  call.disabled = addresses.size === 0;
  say(addresses.size === 1 ? "One function." : `${addresses.size} functions.`);
  await look();
}

const shown = (value: number | undefined): string =>
  value === undefined ? "–" : String(Math.round(value * 10) / 10);
const rowOf = ({ timestamp, severity, text }: Line): HTMLElement =>
  element(
    "tr",
    {},
    element("td", {}, clockText(timestamp)),
    element("td", {}, severity),
    element("td", {}, text),
  );
async function look(): Promise<void> {
  const name = chosen.value;
  if (!name) return;
  const [figures, log] = await Promise.all([
    read<Figures>(`${name}/figures`),
    read<{ lines: Line[] }>(`${name}/logs?limit=${LINES_SHOWN}`),
  ]);
  if (name !== chosen.value) return;
  const terms = FIGURES.map(([key, words]) =>
    element("div", {}, element("dt", {}, words), element("dd", {}, shown(figures[key]))),
  );
  by("figure-list").replaceChildren(...terms);
  const nothing = element("tr", {}, element("td", { colSpan: 3 }, "Nothing yet. Call the function."));
  const rows = log.lines.reverse().map(rowOf);
  by("line-rows").replaceChildren(...(rows.length > 0 ? rows : [nothing]));
  by("figures").hidden = false;
  by("log").hidden = false;
}

async function callIt(): Promise<void> {
  const uri = addresses.get(chosen.value);
  if (!uri) throw new Error("It has no address yet.");
  const method = selectBy("method").value;
  const written = by("body", HTMLTextAreaElement).value;
  const body = method === "GET" || written === "" ? undefined : written;
  const type: Record<string, string> = body === undefined ? {} : { "content-type": inputBy("type").value };
  // Its path on this host: what the address names may be spelt another way than the reader's.
  const path = new URL(uri).pathname + inputBy("path").value.replace(/^\/?/, "/");
  const began = performance.now();
  const { status, header, text } = await send(method, path, type, body);
  const ms = (performance.now() - began).toFixed(1);
  by("answer-line").textContent = `${status}, ${ms} ms, ${header("content-type") || "no type"}`;
  by("answer-text").textContent = text;
  by("answer").hidden = false;
  await look();
}

onSubmit(by("choosing"), () => guarded(list));
onSubmit(by("calling"), () => guarded(callIt));
chosen.addEventListener("change", () => guarded(look));
every(LOOK_MS, look);
void whenSignedIn(list);
