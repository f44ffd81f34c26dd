/** Tables that the console shows for this service. */
import { isoOf } from "#kernel/clock";
import type { ConsoleView } from "#kernel/operation";
import { NOBODY } from "./domain/keeping.ts";
import { listAnalyses } from "./store.ts";

const KILOBYTE = 1024;

export const consoleViews: readonly ConsoleView[] = [
  {
    title: "Executables",
    madeBy: "unpack.unpack",
    columns: [
      "File",
      "SHA-256",
      "Kilobytes",
      "Verdict",
      "Packer",
      "Seconds",
      "Kept kilobytes",
      "Looked at",
      "Expires",
    ],
    async rows({ db }, limit) {
      const analyses = await listAnalyses(db, NOBODY, limit);
      return analyses.map((one) => [
        one.fileName,
        one.sha256,
        Math.ceil(one.size / KILOBYTE),
        one.verdict,
        one.packer,
        (one.tookMs / 1000).toFixed(2),
        Math.ceil(one.keptBytes / KILOBYTE),
        isoOf(one.createdAtMs),
        isoOf(one.expiresAtMs),
      ]);
    },
  },
];
