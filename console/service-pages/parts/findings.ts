/** Calls and texts of a program, which the reader searches. */
import { by, element, inputBy } from "./page.ts";
import { many } from "./report.ts";

type Call = {
  readonly library: string;
  readonly name: string;
  readonly arguments: readonly string[];
  readonly result?: string;
  readonly instructions: number;
  readonly is_modelled: boolean;
};
type Event = {
  readonly kind: string;
  readonly text: string;
  readonly address: string;
  readonly instructions: number;
};
type Ranked = { readonly section: string; readonly text: string; readonly why: string };
type Made = {
  readonly rule: { readonly strings: readonly (readonly [section: string, text: string])[] };
  readonly ranked: readonly Ranked[];
  readonly full_rule: string;
};
type Step = {
  readonly instructions: number;
  readonly text: string;
  readonly result: string;
  readonly isModelled: boolean;
};

/** More rows make a page slow; searching finds the others. */
const ROWS_MAX = 400;

let steps: readonly Step[] = [];
let texts: readonly Ranked[] = [];

const wantedIn = (id: string): string => inputBy(id).value.trim().toLowerCase();
const isIn = (text: string, wanted: string): boolean => text.toLowerCase().includes(wanted);
function countOf(shown: number, found: number, all: number): string {
  const entries = many(all, "entry", "entries");
  const count = found === all ? entries : `${found.toLocaleString("en")} of ${entries}`;
  return shown < found ? `${count}, the first ${shown} are shown` : count;
}
const cell = (className: string, text: string): HTMLElement => element("td", { className }, text);

export function showCalls(): void {
  const wanted = wantedIn("call-search");
  const found = steps.filter(({ text, result }) => isIn(`${text} ${result}`, wanted));
  const shown = found.slice(0, ROWS_MAX);
  const rows = shown.map(({ instructions, text, result, isModelled }) =>
    element(
      "tr",
      { className: isModelled ? "" : "unmodelled" },
      cell("number", instructions.toLocaleString("en")),
      cell("mono", text),
      cell("mono answer", result),
    ),
  );
  by("calls").replaceChildren(...rows);
  by("calls-count").textContent = countOf(shown.length, found.length, steps.length);
}
export function showTexts(): void {
  const wanted = wantedIn("text-search");
  const found = texts.filter(({ section, text, why }) => isIn(`${section} ${text} ${why}`, wanted));
  const shown = found.slice(0, ROWS_MAX);
  const rows = shown.map(({ section, text, why }) =>
    element("tr", {}, cell("place", section), cell("mono", text), cell("why", why)),
  );
  by("texts").replaceChildren(...rows);
  by("texts-count").textContent = countOf(shown.length, found.length, texts.length);
}

const stepOfCall = (call: Call): Step => ({
  instructions: call.instructions,
  text: `${call.library} ${call.name}(${call.arguments.join(", ")})`,
  result: call.result ?? "",
  isModelled: call.is_modelled,
});
const stepOfEvent = ({ kind, text, address, instructions }: Event): Step => ({
  instructions,
  text: `${kind}: ${text}`,
  result: address,
  isModelled: true,
});
export function keepCalls({
  calls = [],
  events = [],
}: {
  readonly calls?: readonly Call[];
  readonly events?: readonly Event[];
}): void {
  const all = [...calls.map(stepOfCall), ...events.map(stepOfEvent)];
  steps = all.sort((a, b) => a.instructions - b.instructions);
  showCalls();
}
/** Telling texts come first. Returns the whole rule. */
export function keepTexts({ rule, ranked, full_rule }: Made): string {
  const told = new Set(ranked.map(({ text }) => text));
  const others = rule.strings.filter(([, text]) => !told.has(text));
  texts = [...ranked, ...others.map(([section, text]) => ({ section, text, why: "" }))];
  showTexts();
  return full_rule;
}
