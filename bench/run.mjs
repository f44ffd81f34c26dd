/** `npm run bench`: the built product and a raw server, loaded in the same run; prints ratios. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backupLines } from "./lines/backup.mjs";
import { bankSizeLines, bankTrafficLines } from "./lines/bank.mjs";
import { bareLines } from "./lines/bare.mjs";
import { consoleLines } from "./lines/console.mjs";
import { contributionLines } from "./lines/contributions.mjs";
import { contributionMediaLines } from "./lines/contributions-media.mjs";
import { eventLines } from "./lines/events.mjs";
import { faceLines } from "./lines/face.mjs";
import { faceSearchLines } from "./lines/face-search.mjs";
import { gatewayLines } from "./lines/gateway.mjs";
import { kernelLines, pageLines, startLines } from "./lines/kernel.mjs";
import { languageLines } from "./lines/language.mjs";
import { objectLines } from "./lines/objects.mjs";
import { peerLines } from "./lines/peers.mjs";
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
/** `--name value` anywhere; what is left are the words. */
const words = process.argv.slice(2);
const option = (name) => {
  const at = words.indexOf(`--${name}`);
  return at < 0 ? undefined : words.splice(at, 2)[1];
};
const [checkout, only] = [option("against"), option("only")];
const section = async (name, measure) => {
  if (words[0] !== undefined && !name.startsWith(words[0])) return;
  // Only these lines compare versions.
  if (checkout !== undefined && name !== "bare") return;
  for await (const row of await measure()) {
    rows.push(row);
    print(row);
  }
};

function verdict({ ratio, target, measured, atMost, atLeast, isUnsteady }) {
  if (isUnsteady) return "spread above a tenth";
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

/** For docs/performance.md. */
function printShort(some) {
  if (some.length === 0) return;
  console.log("\n| request | bare | Medley | ratio | target | result |\n|---|---|---|---|---|---|");
  for (const row of some) console.log(`| ${[...row.short, row.target, verdict(row)].join(" | ")} |`);
}

try {
  console.log("| line | value | ratio | target | |\n|---|---|---|---|---|");
  await section("bare", () => bareLines({ raw }, { checkout, only }));
  await section("peers", () => peerLines({ product }, { only }));
  await section("objects", objectLines);
  await section("kernel", () => kernelLines({ raw, product }));
  await section("services", () => serviceLines({ raw, product }));
  await section("gateway", () => gatewayLines({ raw, product }));
  await section("console", () => consoleLines({ product }, Number(words[1] ?? 100_000)));
  await section("events", () => eventLines({ raw, product }));
  await section("backup", () => backupLines({ raw, product }, Number(words[1] ?? 200)));
  await section("bank-traffic", () => bankTrafficLines({ raw, product }));
  await section("bank-size", () => bankSizeLines(Number(words[1] ?? 100_000)));
  await section("media-contributions", () =>
    contributionMediaLines({ product }, Number(words[1] ?? 10_000), Number(words[2] ?? 1000)),
  );
  await section("start", startLines);
  await section("pages", pageLines);
  await section("time-travel", timeTravelLines);
  await section("robotics-computing", roboticsComputingLines);
  await section("unpack", () => unpackLines({ product }));
  await section("podcasts", () => podcastLines(Number(words[1] ?? 20_000)));
  await section("language", () => languageLines({ raw, product }));
  await section("contributions", () => contributionLines(Number(words[1] ?? 20_000), { folder: words[2] }));
  await section("postgres-contributions", async () => {
    const [count = 20_000, folder] = words.slice(1);
    const postgres = await startPostgres(folder && join(folder, "postgres"));
    try {
      return await contributionLines(Number(count), { folder, database: postgres.url });
    } finally {
      await postgres.stop();
    }
  });
  await section("face-look", () => faceLines({ product }));
  await section("face-search", () => faceSearchLines(Number(words[1] ?? 1_000_000)));
  printShort(rows.filter(({ short }) => short !== undefined));
} finally {
  raw.stop();
  product.stop();
  rmSync(data, { recursive: true, force: true });
}
process.exitCode = rows.some((row) => verdict(row) === "MISSED") ? 1 : 0;
