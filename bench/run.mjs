/** `npm run bench`: the built product and a raw server, loaded in the same run; prints ratios. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backupLines } from "./lines/backup.mjs";
import { bankSizeLines, bankTrafficLines } from "./lines/bank.mjs";
import { consoleLines } from "./lines/console.mjs";
import { contributionLines } from "./lines/contributions.mjs";
import { contributionMediaLines } from "./lines/contributions-media.mjs";
import { eventLines } from "./lines/events.mjs";
import { faceLines } from "./lines/face.mjs";
import { faceSearchLines } from "./lines/face-search.mjs";
import { gatewayLines } from "./lines/gateway.mjs";
import { kernelLines, pageLines, startLines } from "./lines/kernel.mjs";
import { languageLines } from "./lines/language.mjs";
import { podcastLines } from "./lines/podcasts.mjs";
import { roboticsComputingLines } from "./lines/robotics-computing.mjs";
import { serviceLines } from "./lines/services.mjs";
import { timeTravelLines } from "./lines/time-travel.mjs";
import { unpackLines } from "./lines/unpack.mjs";
import { startServer } from "./load.mjs";
import { startPostgres } from "./postgres.mjs";

const data = mkdtempSync(join(tmpdir(), "medley-bench-"));
const raw = await startServer("raw");
const product = await startServer("product", { data });
const rows = [];
const section = async (name, measure) => {
  if (process.argv[2] !== undefined && !name.startsWith(process.argv[2])) return;
  for (const row of await measure()) {
    rows.push(row);
    print(row);
  }
};

function verdict({ ratio, target, measured, atMost, atLeast }) {
  if (ratio !== undefined && target !== undefined) return ratio >= target ? "reached" : "MISSED";
  if (measured !== undefined && atMost !== undefined) return measured <= atMost ? "reached" : "MISSED";
  if (measured !== undefined && atLeast !== undefined) return measured >= atLeast ? "reached" : "MISSED";
  return "";
}
function print(row) {
  const ratio = row.ratio === undefined ? "" : row.ratio.toFixed(2);
  const target = row.target ?? (row.atMost === undefined ? row.atLeast : `≤ ${row.atMost}`) ?? "";
  console.log(`| ${row.line} | ${row.value} | ${ratio} | ${target} | ${verdict(row)} |`);
}

try {
  console.log("| line | value | ratio | target | |\n|---|---|---|---|---|");
  await section("kernel", () => kernelLines({ raw, product }));
  await section("services", () => serviceLines({ raw, product }));
  await section("gateway", () => gatewayLines({ raw, product }));
  await section("console", () => consoleLines({ product }, Number(process.argv[3] ?? 100_000)));
  await section("events", () => eventLines({ raw, product }));
  await section("backup", () => backupLines({ raw, product }, Number(process.argv[3] ?? 200)));
  await section("bank-traffic", () => bankTrafficLines({ raw, product }));
  await section("bank-size", () => bankSizeLines(Number(process.argv[3] ?? 100_000)));
  await section("media-contributions", () =>
    contributionMediaLines({ product }, Number(process.argv[3] ?? 10_000), Number(process.argv[4] ?? 1000)),
  );
  await section("start", startLines);
  await section("pages", pageLines);
  await section("time-travel", timeTravelLines);
  await section("robotics-computing", roboticsComputingLines);
  await section("unpack", () => unpackLines({ product }));
  await section("podcasts", () => podcastLines(Number(process.argv[3] ?? 20_000)));
  await section("language", () => languageLines({ raw, product }));
  await section("contributions", () =>
    contributionLines(Number(process.argv[3] ?? 20_000), { folder: process.argv[4] }),
  );
  await section("postgres-contributions", async () => {
    const [count = 20_000, folder] = process.argv.slice(3);
    const postgres = await startPostgres(folder && join(folder, "postgres"));
    try {
      return await contributionLines(Number(count), { folder, database: postgres.url });
    } finally {
      await postgres.stop();
    }
  });
  await section("face-look", () => faceLines({ product }));
  await section("face-search", () => faceSearchLines(Number(process.argv[3] ?? 1_000_000)));
} finally {
  raw.stop();
  product.stop();
  rmSync(data, { recursive: true, force: true });
}
process.exitCode = rows.some((row) => verdict(row) === "MISSED") ? 1 : 0;
