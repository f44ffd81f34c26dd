/** Tables that the console shows for this service. */
import { sizeText } from "#kernel/bytes";
import { isoOf } from "#kernel/clock";
import type { ConsoleView } from "#kernel/operation";
import { NOBODY } from "./domain/keeping.ts";
import { listAnalyses } from "./store.ts";

export const consoleViews: readonly ConsoleView[] = [
  {
    title: "Executables",
    madeBy: "unpack.unpack",
    columns: ["File", "SHA-256", "Size", "Verdict", "Packer", "Took", "Stored", "Looked at", "Expires"],
    async rows({ db }, limit) {
      const analyses = await listAnalyses(db, NOBODY, limit);
      return analyses.map((one) => [
        one.fileName,
        one.sha256,
        sizeText(one.size),
        one.verdict,
        one.packer,
        `${(one.tookMs / 1000).toFixed(2)} s`,
        sizeText(one.keptBytes),
        isoOf(one.createdAtMs),
        isoOf(one.expiresAtMs),
      ]);
    },
  },
];
