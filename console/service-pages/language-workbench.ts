/** Shows how well a version understands its own utterances, and what it makes of a new one. */
import { ask, whenSignedIn } from "./parts/asking.ts";
import { by, element, guarded, inputBy, say, selectBy } from "./parts/page.ts";

type Scored = { readonly name: string; readonly score: number };
type Example = {
  readonly text: string;
  readonly intentLabel: string;
  readonly intentPredictions: readonly Scored[];
};
type Intent = { readonly id: string; readonly name: string };
type Found = {
  readonly startIndex: number;
  readonly length: number;
  readonly type: string;
  readonly role?: string;
};
type Run = {
  readonly trainedDateTime: string;
  readonly versionId: string;
  readonly status: string;
  readonly intentAccuracy: number;
  readonly entityFScore: number;
  readonly confusions?: readonly {
    readonly labelled: string;
    readonly predicted: string;
    readonly utterances: readonly string[];
  }[];
};
type Entities = { readonly $instance?: Readonly<Record<string, readonly Found[]>> };
type Understood = {
  readonly query: string;
  readonly prediction: {
    readonly entities?: Entities;
    readonly intents: Readonly<Record<string, { readonly score: number }>>;
  };
};

/** Utterances that the matrix is made of; more take long to fetch. */
const UTTERANCES_MAX = 2_000;
const PAGE = 500;
const INTENTS_IN_MATRIX_MAX = 30;
const REVIEWED_MAX = 50;
/** Two scores that differ by less are close. */
const CLOSE = 0.2;

const application = selectBy("application");
const said = by("said");
const authoring = location.pathname.replace(/\/workbench\/?$/, "");
const prediction = authoring.replace(/\/authoring\/v3\.0-preview$/, "/prediction/v3.0");

const cells = (first: string, ...others: string[]): HTMLElement =>
  element(
    "tr",
    {},
    element("th", { scope: "row" }, first),
    ...others.map((value) => element("td", {}, value)),
  );
const figure = (part: number, whole: number): string => (whole === 0 ? "–" : (part / whole).toFixed(2));
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const topOf = ({ intentPredictions }: Pick<Example, "intentPredictions">): Scored | undefined =>
  intentPredictions[0];

function chosen() {
  const [app = "", version = ""] = application.value.split(" ");
  const path = `/apps/${app}/versions/${encodeURIComponent(version)}`;
  return { app, authoring: authoring + path, prediction: prediction + path };
}

async function loadApplications(): Promise<void> {
  const options: HTMLElement[] = [];
  for (const app of await ask<Intent[]>("GET", `${authoring}/apps/?take=500`))
    for (const { version } of await ask<{ version: string }[]>(
      "GET",
      `${authoring}/apps/${app.id}/versions?take=100`,
    ))
      options.push(element("option", { value: `${app.id} ${version}` }, `${app.name}, ${version}`));
  application.replaceChildren(...options);
  if (options.length === 0)
    return say("This account has no applications yet. The command npx medley seed language makes one.");
  await show();
}

/** Parts of the text that are no part of a longer one, in their order. */
function outer(instances: readonly Found[]): Found[] {
  const kept: Found[] = [];
  for (const one of [...instances].sort((a, b) => a.startIndex - b.startIndex || b.length - a.length))
    if (!kept.some((other) => one.startIndex < other.startIndex + other.length)) kept.push(one);
  return kept;
}
function mark(text: string, entities: Entities | undefined): void {
  const instances = Object.values(entities?.$instance ?? {}).flat();
  const parts: (Node | string)[] = [];
  let at = 0;
  for (const { startIndex, length, type, role } of outer(instances)) {
    parts.push(text.slice(at, startIndex));
    const name = type.replace(/^builtin\./, "") + (role ? ` (${role})` : "");
    at = startIndex + length;
    const found = text.slice(startIndex, at);
    parts.push(element("mark", { className: "found" }, found, element("small", {}, name)));
  }
  said.replaceChildren(...parts, text.slice(at));
}
async function understand(): Promise<void> {
  const words = encodeURIComponent(inputBy("utterance").value);
  const query = `?verbose=true&show-all-intents=true&log=false&query=${words}`;
  const answer = await ask<Understood>("GET", `${chosen().prediction}/predict${query}`);
  mark(answer.query, answer.prediction.entities);
  const intents = Object.entries(answer.prediction.intents).sort((a, b) => b[1].score - a[1].score);
  by("scores").replaceChildren(
    ...intents.slice(0, 5).map(([name, { score }]) => cells(name, score.toFixed(3))),
  );
  say("Understood.");
}

async function readExamples(path: string): Promise<Example[]> {
  const examples: Example[] = [];
  for (let skip = 0; skip < UTTERANCES_MAX; skip += PAGE) {
    const page = await ask<Example[]>("GET", `${path}/examples?take=${PAGE}&skip=${skip}`);
    examples.push(...page);
    if (page.length < PAGE) break;
  }
  return examples;
}

/** How many utterances of each label are taken for each intent. */
function counterOf(examples: readonly Example[]): (label: string, taken: string) => number {
  const counts = new Map<string, Map<string, number>>();
  for (const example of examples) {
    const row = counts.get(example.intentLabel) ?? new Map<string, number>();
    counts.set(example.intentLabel, row);
    const taken = topOf(example)?.name ?? "";
    row.set(taken, (row.get(taken) ?? 0) + 1);
  }
  return (label, taken) => counts.get(label)?.get(taken) ?? 0;
}
function showIntents(intents: readonly string[], examples: readonly Example[]): void {
  const count = counterOf(examples);
  const rows = intents.map((name) => {
    const labelled = sum(intents.map((taken) => count(name, taken)));
    const takenFor = sum(intents.map((label) => count(label, name)));
    const right = count(name, name);
    return cells(name, String(labelled), figure(right, takenFor), figure(right, labelled));
  });
  by("intent-rows").replaceChildren(...rows);
  const right = sum(intents.map((name) => count(name, name)));
  by("right").textContent =
    `${right} of ${examples.length} utterances are taken for what they are labelled as.`;
  showMatrix(intents.slice(0, INTENTS_IN_MATRIX_MAX), count);
}
function showMatrix(intents: readonly string[], count: (label: string, taken: string) => number): void {
  const heads = intents.map((name) => element("th", { scope: "col" }, name));
  by("matrix-head").replaceChildren(element("tr", {}, element("td", {}), ...heads));
  const cellOf = (label: string, taken: string) => {
    const className = label === taken ? "right" : count(label, taken) > 0 ? "wrong" : "";
    return element("td", { className }, String(count(label, taken)));
  };
  const rows = intents.map((label) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, label),
      ...intents.map((taken) => cellOf(label, taken)),
    ),
  );
  by("matrix-rows").replaceChildren(...rows);
}
/** Whether two intents claim the utterance, and which. */
function rivalsOf({ intentLabel, intentPredictions }: Example): readonly string[] | undefined {
  const [first, second] = intentPredictions;
  if (!first || !second) return undefined;
  if (first.name !== intentLabel) return [first.name, intentLabel];
  return first.score - second.score < CLOSE ? [first.name, second.name] : undefined;
}
/** Pairs of intents that claim the same utterances, those with the most first. */
function showPairs(examples: readonly Example[]): void {
  const pairs = new Map<string, Example[]>();
  for (const example of examples) {
    const names = rivalsOf(example)?.toSorted().join(" and ");
    if (names !== undefined) pairs.set(names, [...(pairs.get(names) ?? []), example]);
  }
  const scored = ({ intentPredictions }: Example) =>
    intentPredictions
      .slice(0, 2)
      .map(({ name, score }) => `${name} ${score.toFixed(3)}`)
      .join(", ");
  const rows = [...pairs]
    .sort((a, b) => b[1].length - a[1].length)
    .flatMap(([names, confused]) =>
      confused.map((example) => cells(names, example.text, example.intentLabel, scored(example))),
    );
  const none = element("tr", {}, element("td", { colSpan: 4 }, "None."));
  by("pair-rows").replaceChildren(...(rows.length > 0 ? rows.slice(0, REVIEWED_MAX) : [none]));
}
function runCells({ trainedDateTime, versionId, status, ...run }: Run): HTMLElement {
  if (status !== "succeeded") return cells(trainedDateTime, versionId, status, "", "");
  const [most] = run.confusions ?? [];
  const confused = most
    ? `${most.labelled} taken for ${most.predicted}: ${most.utterances.join(", ")}`
    : "nothing";
  const figures = [run.intentAccuracy, run.entityFScore].map((one) => one.toFixed(2));
  return cells(trainedDateTime, versionId, ...figures, confused);
}
async function showRuns(): Promise<void> {
  const runs = await ask<Run[]>("GET", `${authoring}/apps/${chosen().app}/testset/runs`);
  by("runs").hidden = runs.length === 0;
  by("run-rows").replaceChildren(...runs.map(runCells));
}
async function showReview(
  path: string,
  examples: readonly Example[],
  intents: readonly Intent[],
): Promise<void> {
  const rows: { text: string; label: string; top: Scored }[] = [];
  for (const example of examples) {
    const top = topOf(example);
    if (top && top.name !== example.intentLabel)
      rows.push({ text: example.text, label: example.intentLabel, top });
  }
  const seen = new Set<string>();
  for (const { id } of intents.slice(0, INTENTS_IN_MATRIX_MAX))
    for (const suggestion of await ask<Example[]>("GET", `${path}/intents/${id}/suggest?take=20`)) {
      const top = topOf(suggestion);
      if (!top || seen.has(suggestion.text)) continue;
      seen.add(suggestion.text);
      rows.push({ text: suggestion.text, label: "none yet", top });
    }
  const lines = rows
    .slice(0, REVIEWED_MAX)
    .map(({ text, label, top }) => cells(text, label, top.name, top.score.toFixed(3)));
  const nothing = element("tr", {}, element("td", { colSpan: 4 }, "Nothing."));
  by("review-rows").replaceChildren(...(lines.length > 0 ? lines : [nothing]));
}

async function show(): Promise<void> {
  const { authoring: path } = chosen();
  const intents = await ask<Intent[]>("GET", `${path}/intents?take=500`);
  const examples = await readExamples(path);
  const isTrained = examples.some((example) => topOf(example));
  await showRuns();
  for (const id of ["try", "intents", "matrix", "pairs", "review"]) by(id).hidden = !isTrained;
  said.replaceChildren();
  by("scores").replaceChildren();
  if (!isTrained) return say("This version has not been trained, or has no utterances.");
  showIntents(
    intents.map(({ name }) => name),
    examples,
  );
  showPairs(examples);
  await showReview(path, examples, intents);
  say(`${examples.length} utterances of ${intents.length} intents were looked at.`);
}

const run = (work: () => Promise<void>) => (event: Event) => {
  event.preventDefault();
  say("One moment …");
  void guarded(work);
};
by("asking").addEventListener("submit", run(loadApplications));
application.addEventListener("change", run(show));
by("trying").addEventListener("submit", run(understand));
void whenSignedIn(loadApplications);
