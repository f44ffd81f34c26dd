/** The workbench's script. */
import { askingScript, pageKeyIn } from "#kernel/html";

/** Utterances that the matrix is made of; more take long to fetch. */
const UTTERANCES_MAX = 2_000;
const PAGE = 500;
const INTENTS_IN_MATRIX_MAX = 30;
const REVIEWED_MAX = 50;
/** Two scores that differ by less are close. */
const CLOSE = 0.2;

export const WORKBENCH_KEY = pageKeyIn("vendor-subscription-key");
export const SCRIPT = askingScript(
  WORKBENCH_KEY,
  String.raw`
  const [form, application, trying, utterance, said] = ["asking", "application", "trying", "utterance", "said"].map(by);
  const authoring = location.pathname.replace(/\/workbench\/?$/, "");
  const prediction = authoring.replace(/\/authoring\/v3\.0-preview$/, "/prediction/v3.0");
  const cells = (...values) => element("tr", {}, ...values.map((value, at) => element(at === 0 ? "th" : "td", at === 0 ? { scope: "row" } : {}, value)));
  const figure = (part, whole) => (whole === 0 ? "–" : (part / whole).toFixed(2));
  const chosen = () => {
    const [app, version] = application.value.split(" ");
    return { app, version, path: authoring + "/apps/" + app + "/versions/" + encodeURIComponent(version) };
  };

  const loadApplications = async () => {
    const options = [];
    for (const app of await ask("GET", authoring + "/apps/?take=500"))
      for (const { version } of await ask("GET", authoring + "/apps/" + app.id + "/versions?take=100"))
        options.push(element("option", { value: app.id + " " + version }, app.name + ", " + version));
    application.replaceChildren(...options);
    if (options.length === 0) return say("This account has no applications.");
    await show();
  };

  /** Parts of the text that are no part of a longer one, in their order. */
  const outer = (instances) => {
    const kept = [];
    for (const one of [...instances].sort((a, b) => a.startIndex - b.startIndex || b.length - a.length))
      if (!kept.some((other) => one.startIndex < other.startIndex + other.length)) kept.push(one);
    return kept;
  };
  const mark = (text, entities) => {
    const instances = Object.values((entities && entities.$instance) || {}).flat();
    const parts = [];
    let at = 0;
    for (const { startIndex, length, type, role } of outer(instances)) {
      parts.push(text.slice(at, startIndex));
      const name = type.replace(/^builtin\./, "") + (role ? " (" + role + ")" : "");
      parts.push(element("mark", { className: "found" }, text.slice(startIndex, startIndex + length), element("small", {}, name)));
      at = startIndex + length;
    }
    said.replaceChildren(...parts, text.slice(at));
  };
  const understand = async () => {
    const { app, version } = chosen();
    const query = "?verbose=true&show-all-intents=true&log=false&query=" + encodeURIComponent(utterance.value);
    const answer = await ask("GET", prediction + "/apps/" + app + "/versions/" + encodeURIComponent(version) + "/predict" + query);
    mark(answer.query, answer.prediction.entities);
    const intents = Object.entries(answer.prediction.intents).sort((a, b) => b[1].score - a[1].score).slice(0, 5);
    by("scores").replaceChildren(...intents.map(([name, { score }]) => cells(name, score.toFixed(3))));
  };

  const readExamples = async (path) => {
    const examples = [];
    for (let skip = 0; skip < ${UTTERANCES_MAX}; skip += ${PAGE}) {
      const page = await ask("GET", path + "/examples?take=${PAGE}&skip=" + skip);
      examples.push(...page);
      if (page.length < ${PAGE}) break;
    }
    return examples;
  };
  const topOf = (example) => example.intentPredictions[0];

  const showIntents = (intents, examples, counts) => {
    const sum = (values) => values.reduce((total, value) => total + value, 0);
    const count = (label, taken) => (counts.get(label) && counts.get(label).get(taken)) || 0;
    by("intent-rows").replaceChildren(...intents.map((name) => {
      const labelled = sum(intents.map((taken) => count(name, taken)));
      const takenFor = sum(intents.map((label) => count(label, name)));
      return cells(name, String(labelled), figure(count(name, name), takenFor), figure(count(name, name), labelled));
    }));
    const right = sum(intents.map((name) => count(name, name)));
    by("right").textContent = right + " of " + examples.length + " utterances are taken for what they are labelled as.";
    const shown = intents.slice(0, ${INTENTS_IN_MATRIX_MAX});
    by("matrix-head").replaceChildren(element("tr", {}, element("td", {}), ...shown.map((name) => element("th", { scope: "col" }, name))));
    by("matrix-rows").replaceChildren(...shown.map((label) => element("tr", {}, element("th", { scope: "row" }, label),
      ...shown.map((taken) => element("td", { className: label === taken ? "right" : count(label, taken) > 0 ? "wrong" : "" }, String(count(label, taken)))))));
  };
  /** Pairs of intents that claim the same utterances, those with the most first. */
  const showPairs = (examples) => {
    const pairs = new Map();
    for (const example of examples) {
      const [first, second] = example.intentPredictions;
      if (!first || !second) continue;
      const isWrong = first.name !== example.intentLabel;
      if (!isWrong && first.score - second.score >= ${CLOSE}) continue;
      const names = [first.name, isWrong ? example.intentLabel : second.name].sort().join(" and ");
      pairs.set(names, [...(pairs.get(names) || []), example]);
    }
    const rows = [...pairs].sort((a, b) => b[1].length - a[1].length).flatMap(([names, confused]) => confused.map((example) =>
      cells(names, example.text, example.intentLabel, example.intentPredictions.slice(0, 2).map(({ name, score }) => name + " " + score.toFixed(3)).join(", "))));
    const shown = rows.slice(0, ${REVIEWED_MAX});
    by("pair-rows").replaceChildren(...(shown.length > 0 ? shown : [element("tr", {}, element("td", { colSpan: 4 }, "None."))]));
  };
  const showRuns = async () => {
    const runs = await ask("GET", authoring + "/apps/" + chosen().app + "/testset/runs");
    by("runs").hidden = runs.length === 0;
    by("run-rows").replaceChildren(...runs.map(({ trainedDateTime, versionId, status, intentAccuracy, entityFScore, confusions = [] }) => {
      const [most] = confusions;
      const confused = most ? most.labelled + " taken for " + most.predicted + ": " + most.utterances.join(", ") : "nothing";
      return status === "succeeded" ? cells(trainedDateTime, versionId, intentAccuracy.toFixed(2), entityFScore.toFixed(2), confused) : cells(trainedDateTime, versionId, status, "", "");
    }));
  };
  const showReview = async (path, examples, intents) => {
    const wrong = examples.filter((example) => topOf(example) && topOf(example).name !== example.intentLabel);
    const rows = wrong.map((example) => [example.text, example.intentLabel, topOf(example).name, topOf(example).score]);
    const seen = new Set();
    for (const { id } of intents.slice(0, ${INTENTS_IN_MATRIX_MAX}))
      for (const suggestion of await ask("GET", path + "/intents/" + id + "/suggest?take=20")) {
        if (seen.has(suggestion.text)) continue;
        seen.add(suggestion.text);
        rows.push([suggestion.text, "none yet", topOf(suggestion).name, topOf(suggestion).score]);
      }
    const lines = rows.slice(0, ${REVIEWED_MAX}).map(([text, label, taken, score]) => cells(text, label, taken, score.toFixed(3)));
    by("review-rows").replaceChildren(...(lines.length > 0 ? lines : [element("tr", {}, element("td", { colSpan: 4 }, "Nothing."))]));
  };

  const show = async () => {
    const { path } = chosen();
    const intents = await ask("GET", path + "/intents?take=500");
    const examples = await readExamples(path);
    const isTrained = examples.some((example) => topOf(example));
    const counts = new Map();
    for (const example of examples) {
      const row = counts.get(example.intentLabel) || new Map();
      counts.set(example.intentLabel, row);
      const taken = topOf(example) ? topOf(example).name : "";
      row.set(taken, (row.get(taken) || 0) + 1);
    }
    await showRuns();
    for (const id of ["try", "intents", "matrix", "pairs", "review"]) by(id).hidden = !isTrained;
    said.replaceChildren();
    by("scores").replaceChildren();
    if (!isTrained) return say("This version has not been trained, or has no utterances.");
    showIntents(intents.map(({ name }) => name), examples, counts);
    showPairs(examples);
    await showReview(path, examples, intents);
    say(examples.length + " utterances of " + intents.length + " intents were looked at.");
  };

  const run = (work) => (event) => {
    event.preventDefault();
    say("One moment …");
    guarded(work);
  };
  form.addEventListener("submit", run(loadApplications));
  application.addEventListener("change", run(show));
  trying.addEventListener("submit", run(async () => { await understand(); say("Understood."); }));
  whenSignedIn(loadApplications);
`,
);
