/** What the console shows. */
import { isoOf } from "#kernel/clock";
import type { ConsoleView } from "#kernel/operation";
import { listApplications } from "./store/applications.ts";
import { countExamples } from "./store/examples.ts";
import { countModels } from "./store/models.ts";
import { listPublished } from "./store/published.ts";
import { findVersion } from "./store/versions.ts";

export const consoleViews: readonly ConsoleView[] = [
  {
    title: "Applications",
    columns: [
      "Id",
      "Name",
      "Culture",
      "Active version",
      "Intents",
      "Entities",
      "Utterances",
      "Trained",
      "Published",
      "Asked",
    ],
    async rows({ db, account }, limit) {
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
          published.map(({ slot, versionName }) => `${slot}: ${versionName}`).join(", "),
          hits,
        ]);
      }
      return rows;
    },
  },
];
