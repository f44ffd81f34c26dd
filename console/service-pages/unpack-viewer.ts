/** The viewer of programs: asks the interface, and shows what it answers. */

import { keepCalls, keepTexts, showCalls, showTexts } from "./parts/findings.ts";
import { by, element, inputBy, onFiles, onSubmit, say, taker, wordsOf } from "./parts/page.ts";
import { type Report, showReport } from "./parts/report.ts";

type Fields = readonly (readonly [name: string, value: string])[];
type Asked<T> = { readonly ok: boolean; readonly answered: Partial<T>; readonly problem: string };
type Match = {
  readonly rule: string;
  readonly tags: readonly string[];
  readonly strings: readonly {
    readonly identifier: string;
    readonly offset: number;
    readonly data: string;
  }[];
};
type Applied = {
  readonly result: {
    readonly matches: readonly Match[];
    readonly rules: readonly { readonly errors: readonly string[] }[];
    readonly error_message: string;
    readonly is_success: boolean;
  };
};

const LINK_MS = 60_000;
const base = location.pathname.replace(/\/viewer\/?$/, "");
const rule = by("rule", HTMLTextAreaElement);
const onUnpacked = inputBy("on-unpacked");
const inTurn = taker();
/** What is looked at now. */
let file: File | undefined;

function formOf(fields: Fields): FormData {
  const form = new FormData();
  if (file) form.append("file", file, file.name);
  for (const [name, value] of fields) form.append(name, value);
  return form;
}
const send = (path: string, fields: Fields = [], accept = "application/json"): Promise<Response> =>
  fetch(base + path, { method: "POST", body: formOf(fields), headers: { accept } });
async function ask<T>(path: string, fields: Fields = []): Promise<Asked<T>> {
  const answer = await send(path, fields);
  const answered = await answer.json().catch(() => ({}));
  return { ok: answer.ok, answered, problem: wordsOf(answered, answer.status) };
}

async function look(chosen: File): Promise<void> {
  file = chosen;
  by("report").hidden = true;
  by("matched").replaceChildren();
  say(`Emulating ${file.name} …`);
  const { ok, answered, problem } = await ask<Report & { report: Report }>("/unpack");
  const report = ok ? (answered as Report) : answered.report;
  if (!report) return say(problem);
  showReport(report);
  by("report").hidden = false;
  say("Reading its calls and texts …");
  keepCalls((await ask<Parameters<typeof keepCalls>[0]>("/emulation-output")).answered);
  const isUnpacked = report.verdict === "unpacked";
  onUnpacked.checked = isUnpacked;
  onUnpacked.disabled = !isUnpacked;
  const fields: Fields = [["is_unpacking_required", String(isUnpacked)]];
  const made = await ask<Parameters<typeof keepTexts>[0]>("/generate-partial-yara-rules", fields);
  if (made.ok) rule.value = keepTexts(made.answered as Parameters<typeof keepTexts>[0]);
  say(ok ? "Done." : problem);
}

function foundOf({ rule: name, tags, strings }: Match): HTMLElement {
  const lines = strings.map(
    ({ identifier, offset, data }) => `0x${offset.toString(16)} ${identifier} ${data.replace(/\\x00/g, "")}`,
  );
  const labels = tags.length > 0 ? ` (${tags.join(", ")})` : "";
  return element(
    "div",
    { className: "found" },
    element("strong", {}, `${name} matches${labels}`),
    element("pre", {}, lines.join("\n")),
  );
}
const problemLine = (text: string): HTMLElement => element("p", { className: "problem" }, text);
function resultOf({ matches, rules, error_message, is_success }: Applied["result"]): HTMLElement[] {
  const found = matches.map(foundOf);
  if (is_success) return found.length > 0 ? found : [element("p", {}, "No rule matches.")];
  const problems = rules.flatMap(({ errors }) => errors).map((text) => element("pre", {}, text));
  return [element("div", { className: "found" }, problemLine(error_message), ...problems), ...found];
}
async function test(): Promise<void> {
  const matched = by("matched");
  matched.replaceChildren(element("p", { className: "muted" }, "Applying …"));
  const bytes = new TextEncoder().encode(rule.value);
  const encoded = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const { ok, answered, problem } = await ask<Applied>("/apply-yara-rules", [
    ["rules", encoded],
    ["is_unpacking_required", String(onUnpacked.checked)],
  ]);
  matched.replaceChildren(...(ok && answered.result ? resultOf(answered.result) : [problemLine(problem)]));
}

async function download(): Promise<void> {
  const answer = await send("/unpack", [], "application/octet-stream");
  if (!answer.ok) return say(`The server answered ${answer.status}.`);
  const name = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") || "")?.[1];
  const link = element("a", {
    href: URL.createObjectURL(await answer.blob()),
    download: name ?? "unpacked.exe",
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), LINK_MS);
}
async function clean(): Promise<void> {
  const answer = await fetch(`${base}/clean`, { method: "HEAD" });
  say(answer.ok ? "Nothing is kept on the server any more." : `The server answered ${answer.status}.`);
}

onSubmit(by("asking"), () => {});
onSubmit(by("testing"), () => inTurn(test));
by("download").addEventListener("click", () => inTurn(download));
by("clean").addEventListener("click", () => inTurn(clean));
by("call-search").addEventListener("input", showCalls);
by("text-search").addEventListener("input", showTexts);
onFiles(by("drop"), inputBy("file"), ([chosen]) => {
  if (chosen) void inTurn(() => look(chosen));
});
