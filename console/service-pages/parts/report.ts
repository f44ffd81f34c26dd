/** What was found out about a program: verdict, facts, sections, layers, imports. */
import { by, element } from "./page.ts";

type Verdict = "unpacked" | "plain" | "stopped";
type Section = {
  readonly name: string;
  readonly address: string;
  readonly size: number;
  readonly file_size: number;
  readonly is_executable: boolean;
  readonly is_writable: boolean;
  readonly entropy_before: number;
  readonly entropy_after: number;
};
type Layer = {
  readonly address: string;
  readonly place: string;
  readonly from: string;
  readonly instructions: number;
};
export type Report = {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly file: { readonly name: string; readonly size: number; readonly sha256: string };
  readonly unpacked?: { readonly size: number };
  readonly packer?: { readonly name: string; readonly marks: readonly string[] };
  readonly base: string;
  readonly entry_point: string;
  readonly original_entry_point?: string;
  readonly instructions: number;
  readonly seconds: number;
  readonly is_cached: boolean;
  readonly sections: readonly Section[];
  readonly layers: readonly Layer[];
  readonly imports: readonly { readonly library: string; readonly functions: readonly string[] }[];
};

const VERDICTS: Readonly<Record<Verdict, string>> = {
  unpacked: "was packed, and is unpacked",
  plain: "is not packed",
  stopped: "could not be unpacked",
};
/** Longer values take a whole line. */
const SHORT_VALUE_MAX = 48;
/** In bits of a byte: what is packed or encrypted is above. */
const DENSE_FROM = 7.2;

export const many = (count: number, one: string, more: string): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : more}`;

function factsOf(report: Report): [string, string][] {
  const { file, unpacked, packer } = report;
  const functions = report.imports.reduce((sum, one) => sum + one.functions.length, 0);
  const notReached = report.verdict === "plain" ? "the same" : "not reached";
  return [
    ["Packer", packer ? `${packer.name} (${packer.marks.join(", ")})` : "none that is known"],
    ["Entry point", report.entry_point],
    ["Original entry point", report.original_entry_point || notReached],
    ["Layers", String(report.layers.length)],
    ["Imports", many(functions, "function", "functions")],
    ["Instructions", report.instructions.toLocaleString("en")],
    ["Time", `${report.seconds.toFixed(2)} s${report.is_cached ? " (known from before)" : ""}`],
    [
      "Size",
      many(file.size, "byte", "bytes") + (unpacked ? `, unpacked ${unpacked.size.toLocaleString("en")}` : ""),
    ],
    ["SHA-256", file.sha256],
  ];
}
function showFacts(report: Report): void {
  const { file, packer, verdict } = report;
  by("verdict").textContent = `${file.name} ${VERDICTS[verdict]}${packer ? `: ${packer.name}` : ""}`;
  by("reason").textContent = report.reason;
  const facts = factsOf(report).map(([name, value]) => {
    const className = value.length > SHORT_VALUE_MAX ? "whole" : "";
    return element("div", { className }, element("dt", {}, name), element("dd", {}, value));
  });
  by("facts").replaceChildren(...facts);
  by("download").hidden = verdict !== "unpacked";
}

function bar(name: string, entropy: number): HTMLElement {
  const fill = element("div", { className: entropy > DENSE_FROM ? "fill dense" : "fill" });
  fill.style.width = `${(entropy / 8) * 100}%`;
  return element(
    "div",
    { className: "measure" },
    element("span", {}, name),
    element("div", { className: "track" }, fill),
    element("span", { className: "value" }, entropy.toFixed(2)),
  );
}
function sectionOf(section: Section): HTMLElement {
  const words = [
    section.address,
    many(section.size, "byte", "bytes"),
    `in the file ${section.file_size.toLocaleString("en")}`,
    section.is_executable && "executable",
    section.is_writable && "writable",
  ];
  return element(
    "div",
    {},
    element(
      "div",
      { className: "section-name" },
      element("strong", {}, section.name || "(no name)"),
      element("span", { className: "muted small" }, words.filter(Boolean).join(", ")),
    ),
    bar("before", section.entropy_before),
    bar("after", section.entropy_after),
  );
}

const step = (when: string, what: string): HTMLElement =>
  element("li", {}, element("div", {}, what), element("div", { className: "when" }, when));
function showLayers({ base, entry_point, layers, instructions, reason }: Report): void {
  const after = (count: number) => `after ${many(count, "instruction", "instructions")}`;
  const start = (Number(base) + Number(entry_point)).toString(16);
  by("layers").replaceChildren(
    step("at the beginning", `It begins at 0x${start}.`),
    ...layers.map((layer) =>
      step(
        after(layer.instructions),
        `It goes on at ${layer.address} in what it has written: from ${layer.from} to ${layer.place}.`,
      ),
    ),
    step(after(instructions), reason),
  );
}
function showImports({ imports }: Report): void {
  const parts = imports.map(({ library, functions }) =>
    element(
      "details",
      {},
      element("summary", {}, `${library}: ${many(functions.length, "function", "functions")}`),
      element("p", { className: "mono" }, functions.join(", ")),
    ),
  );
  const nothing = element("p", { className: "muted" }, "None.");
  by("imports").replaceChildren(...(parts.length > 0 ? parts : [nothing]));
}

export function showReport(report: Report): void {
  showFacts(report);
  by("sections").replaceChildren(...report.sections.map(sectionOf));
  showLayers(report);
  showImports(report);
}
