/** Console views of the language service. */
import { isoOf } from "#kernel/clock";
import { type ConsoleView, importsView } from "#kernel/operation";
import type { Version } from "./domain/application.ts";
import type { State } from "./state.ts";
import { listApplications } from "./store/applications.ts";
import { countExamples } from "./store/examples.ts";
import { countModels, listStoredModels } from "./store/models.ts";
import { listPublished } from "./store/published.ts";
import { listQueries } from "./store/queries.ts";
import { findVersion } from "./store/versions.ts";

/** What is under way: how far it is on this node, or its state. */
function trainingText({ trainer }: State, { uid, trainingStatus }: Version): string {
  if (trainingStatus === "queued" || trainingStatus === "failed") return trainingStatus;
  if (trainingStatus !== "running") return "";
  const percent = trainer.findPercent(uid);
  return percent === undefined ? trainingStatus : `${percent} %`;
}

export const consoleViews: readonly ConsoleView[] = [
  importsView(async ({ account, state }) => (state as State).imports.rowsOf(account)),
  {
    title: "Applications",
    madeBy: "language.apps.addApplication",
    columns: [
      "Id",
      "Name",
      "Culture",
      "Active version",
      "Intents",
      "Entities",
      "Utterances",
      "Trained",
      "Training",
      "Published",
      "Asked",
    ],
    async rows({ db, account, state }, limit) {
      const rows = [];
      for (const application of await listApplications(db, account, { skip: 0, take: limit })) {
        const { id, name, culture, activeVersion, hits } = application;
        const version = await findVersion(db, account, id, activeVersion);
        const { intent = 0, ...entities } = version ? await countModels(db, account, version.uid) : {};
        const published = await listPublished(db, account, id);
        rows.push([
          id,
          name,
          culture,
          activeVersion,
          intent,
          Object.values(entities).reduce((sum, count) => sum + count, 0),
          version ? await countExamples(db, account, version.uid) : 0,
          version?.trainedAtMs === undefined ? "" : isoOf(version.trainedAtMs),
          version ? trainingText(state as State, version) : "",
          published.map(({ slot, versionName }) => `${slot}: ${versionName}`).join(", "),
          hits,
        ]);
      }
      return rows;
    },
  },
  {
    title: "Intents of active versions",
    columns: ["Application", "Version", "Intent", "Learned from", "Trained"],
    async rows({ db, account }, limit) {
      const rows = [];
      for (const { id, name, activeVersion } of await listApplications(db, account, {
        skip: 0,
        take: limit,
      })) {
        const version = await findVersion(db, account, id, activeVersion);
        const intents = version
          ? await listStoredModels(db, account, version.uid, { kinds: ["intent"] })
          : [];
        for (const { model, trainedExamples, trainedAtMs } of intents)
          rows.push([
            name,
            activeVersion,
            model.name,
            trainedExamples ?? "",
            trainedAtMs === undefined ? "" : isoOf(trainedAtMs),
          ]);
        if (rows.length >= limit) break;
      }
      return rows.slice(0, limit);
    },
  },
  {
    title: "Latest queries",
    madeBy: "language-predictions.slots.predict",
    columns: ["Asked", "Application", "Slot", "Text", "Taken for", "Score"],
    async rows({ db, account }, limit) {
      const rows = [];
      for (const { id, name } of await listApplications(db, account, { skip: 0, take: limit })) {
        const queries = await listQueries(db, account, id, { take: limit - rows.length });
        for (const { askedAtMs, slot, text, intent, score } of queries)
          rows.push([isoOf(askedAtMs), name, slot, text, intent, score.toFixed(3)]);
        if (rows.length >= limit) break;
      }
      return rows;
    },
  },
];
