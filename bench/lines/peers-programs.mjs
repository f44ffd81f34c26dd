/** Backups beside restic and tar, and learning beside node-nlp: whole runs in turns, by processor time. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { installPackage, installProgram } from "../peers/install.mjs";
import { isUndecided, shown, summaryOf } from "../rounds.mjs";
import { bytesUnder, command, storedBytes, thereAndBack } from "./backup.mjs";
import { makeTree } from "./backup-tree.mjs";
import { asked, taught } from "./language.mjs";

const execute = promisify(execFile);
const ROUNDS = 5;
const LANGUAGE_ROUNDS = 3;
const MEGABYTES = 50;
const INTENTS = 50;
const UTTERANCES_EACH = 20;

const rowOf = (line, own, theirs, { unit = "s", target }) => {
  const ratio = summaryOf(own.map((value, round) => theirs[round] / value));
  const middle = (values) => summaryOf(values).middle.toFixed(2);
  return {
    line,
    value: `${middle(own)} ${unit}; it ${middle(theirs)} ${unit}; ${shown(ratio)}`,
    ratio: ratio.middle,
    target,
    isUnsteady: isUndecided(ratio, target),
  };
};

/** A tree into a new repository, the same tree again, and out of it. */
async function resticRound(restic, folder, tree) {
  const repository = join(folder, "restic");
  const restore = join(folder, "restic-restored");
  const own = `export RESTIC_PASSWORD=bench RESTIC_REPOSITORY=${repository} RESTIC_CACHE_DIR=${join(folder, "cache")}`;
  const run = (words) => command(`${own}; ${restic} ${words} --quiet`);
  try {
    await run("init");
    const first = await run(`backup ${tree}`);
    const bytes = await bytesUnder(repository);
    return {
      first,
      bytes,
      again: await run(`backup ${tree}`),
      restored: await run(`restore latest --target ${restore}`),
    };
  } finally {
    for (const name of ["restic", "restic-restored", "cache"])
      rmSync(join(folder, name), { recursive: true, force: true });
  }
}
export async function peerBackupLines() {
  const folder = mkdtempSync(join(tmpdir(), "medley-bench-backup-"));
  const restic = installProgram("restic");
  const tree = join(folder, "tree");
  const files = makeTree(tree, MEGABYTES * 1e6);
  const rounds = [];
  try {
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push(
        await thereAndBack(folder, tree, async ({ server, ...own }) => ({
          ...own,
          stored: await storedBytes(server),
          restic: restic && (await resticRound(restic, folder, tree)),
        })),
      );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const cpu = (pick) => rounds.map((round) => pick(round).cpu);
  const title = `backup of ${MEGABYTES} MB in ${files} files`;
  const tar = [
    rowOf(
      `${title} beside \`tar | gzip -1\``,
      cpu((one) => one.first),
      cpu((one) => one.packed),
      { target: 0.5 },
    ),
    rowOf(
      "restore of it beside `tar xz`",
      cpu((one) => one.restored),
      cpu((one) => one.unpacked),
      { target: 0.5 },
    ),
  ];
  if (!restic) return [...tar, { line: `${title} beside restic`, value: "not installed" }];
  const megabytes = (pick) => rounds.map((round) => pick(round) / 1e6);
  return [
    ...tar,
    rowOf(
      `${title} beside restic`,
      cpu((one) => one.first),
      cpu((one) => one.restic.first),
      { target: 1 },
    ),
    rowOf(
      "the same tree again beside restic",
      cpu((one) => one.second),
      cpu((one) => one.restic.again),
      { target: 1 },
    ),
    rowOf(
      "restore of it beside restic",
      cpu((one) => one.restored),
      cpu((one) => one.restic.restored),
      { target: 1 },
    ),
    rowOf(
      "stored bytes beside restic's",
      megabytes((one) => one.stored),
      megabytes((one) => one.restic.bytes),
      {
        unit: "MB",
        target: 0.9,
      },
    ),
  ];
}

export async function peerLanguageLines() {
  const title = `training of ${INTENTS} intents with ${INTENTS * UTTERANCES_EACH} utterances beside node-nlp`;
  const script = installPackage("node-nlp");
  if (!script) return [{ line: title, value: "not installed" }];
  const folder = mkdtempSync(join(tmpdir(), "medley-bench-language-"));
  const [own, theirs] = [[], []];
  try {
    for (let round = 0; round < LANGUAGE_ROUNDS; round += 1) {
      const made = await taught(INTENTS, UTTERANCES_EACH);
      const file = join(folder, "content.json");
      writeFileSync(file, JSON.stringify({ utterances: made.content.utterances, test: made.test }));
      own.push({ trainSeconds: made.seconds, count: made.test.length, ...asked(made) });
      theirs.push(JSON.parse((await execute(process.execPath, [script, file])).stdout));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const askMs = (seconds, { count }) => (seconds / count) * 1000;
  return [
    rowOf(
      title,
      own.map((one) => one.trainSeconds),
      theirs.map((one) => one.trainSeconds),
      { target: 1 },
    ),
    rowOf(
      "a prediction beside node-nlp",
      own.map(({ perSecond }) => 1000 / perSecond),
      theirs.map(({ askSeconds }, round) => askMs(askSeconds, own[round])),
      { unit: "ms", target: 1 },
    ),
    {
      line: "right answers beside node-nlp",
      value: `${own[0].accuracy.toFixed(3)}; it ${theirs[0].accuracy.toFixed(3)}`,
      ratio: own[0].accuracy / theirs[0].accuracy,
      target: 1,
    },
  ];
}
