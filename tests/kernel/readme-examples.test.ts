/** Every code block of every README runs as it stands, from a fresh data folder, in order. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import sketchbook from "../../src/examples/sketchbook/index.ts";
import warehousing from "../../src/examples/warehousing/index.ts";
import { makePackedExecutable } from "../support/executables.ts";
import { portraitOf } from "../support/face-pictures.ts";
import { accounts, startInstance } from "../support/medley.ts";
import { startServe } from "../support/processes.ts";
import { type Block, blocksOf, newReader } from "../support/readme-blocks.ts";

const ALL_HAVE_RUN = "all blocks have run";
const RUN_LANGUAGES = new Set(["sh", "js"]);

/** What readers bring: pictures, programs and archives of their own. */
const BROUGHT: Readonly<Record<string, (folder: string) => Promise<void> | void>> = {
  "": (folder) => writeFileSync(join(folder, "suspicious.exe"), makePackedExecutable()),
  contributions: async (folder) => writeFileSync(join(folder, "river.jpg"), await portraitOf("ann")),
  face: async (folder) => {
    for (const name of ["ann.jpg", "door.jpg"]) writeFileSync(join(folder, name), await portraitOf("ann"));
  },
  unpack: (folder) => {
    for (const name of ["suspicious.exe", "other.exe"])
      writeFileSync(join(folder, name), makePackedExecutable());
    writeFileSync(join(folder, "hunting.yar"), 'rule beans { strings: $a = "beans" nocase condition: $a }');
  },
  robotics: (folder) => {
    const archive = join(folder, "the-blue-alliance-data");
    mkdirSync(archive);
    writeFileSync(
      join(archive, "2018casj_matches.csv"),
      "2018casj_qm1,frc254,frc971,frc1678,frc604,frc846,frc8,61,48\n2018casj_f1m1,frc254,frc971,frc1678,frc604,frc846,frc8,70,52\n",
    );
  },
};
/** Flags that the text of a README names beside its example. */
const flagsFor = (service: string, folder: string): string[] =>
  service === "backup" ? ["--backup-roots", folder] : [];

/** Not run here, with the reason. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "README.md npm ci && npm start": "installs the project; tests/kernel/readme-tour.test.ts starts it",
  "README.md npm start &": "tests/kernel/readme-tour.test.ts, in the first part",
  "docs/scale.md medley serve --host":
    "needs two hosts of a database; tests/faults/failover.test.ts has them",
  "docs/scale.md medley serve --database": "needs a standby; tests/faults/standby.test.ts has one",
  "src/services/identity/README.md pages -> connect": "a picture of the order of rooms",
  'src/services/security-tokens/README.md {"accounts"':
    "a file for the next start; tests/kernel/credentials-file.test.ts has one",
  'src/services/voice/README.md {"eventType"': "an event; voice's own tests compare the members",
};
const isElsewhere = (file: string, { text }: Block): boolean =>
  Object.keys(ELSEWHERE).some((start) => `${file} ${text}`.replace(/\s+(?=")/g, "").startsWith(start));
function blocksToRun(file: string): Block[] {
  const blocks = blocksOf(file).filter((block) => !isElsewhere(file, block));
  for (const { language, line } of blocks) expect(RUN_LANGUAGES, `${file}:${line}`).toContain(language);
  return blocks;
}

const services = readdirSync("src/services").filter((name) => existsSync(`src/services/${name}/README.md`));
const documents = readdirSync("docs").filter((name) => name.endsWith(".md"));
/** What the first README says to run before anything else. */
const VARIABLES: Block = { language: "sh", line: 0, text: 'eval "$(npx medley credentials --env)"' };

async function runFor(service: string, blocks: readonly Block[]): Promise<string> {
  const reader = newReader();
  const data = join(reader.folder, "data");
  const server = await startServe("--data", data, ...flagsFor(service, reader.folder));
  try {
    await BROUGHT[service]?.(reader.folder);
    return await reader.run([VARIABLES, ...blocks], { MEDLEY_DATA: data });
  } finally {
    await server.kill("SIGTERM");
    reader.leave();
  }
}

describe("code blocks", () => {
  it.concurrent.each(services)("of the service %s", async (service) => {
    const blocks = blocksToRun(`src/services/${service}/README.md`);
    expect(blocks.length).toBeGreaterThan(0);
    expect(await runFor(service, blocks)).toContain(ALL_HAVE_RUN);
  });

  it.concurrent.each(["README.md", ...documents.map((name) => `docs/${name}`)])("of %s", async (file) => {
    const blocks = blocksToRun(file);
    if (blocks.length > 0) expect(await runFor("", blocks)).toContain(ALL_HAVE_RUN);
  });

  it.each([sketchbook, warehousing])("of the example $name", async (example) => {
    const instance = await startInstance({
      services: example === warehousing ? ["resource-manager"] : [],
      extraServices: [example],
    });
    const reader = newReader();
    const {
      tokens: [MEDLEY_TOKEN],
      apiKeys: [MEDLEY_API_KEY],
    } = accounts.first;
    const blocks = blocksToRun(`src/examples/${example.name}/README.md`);
    const output = await reader.run(blocks, {
      MEDLEY_URL: instance.url,
      MEDLEY_TOKEN,
      MEDLEY_API_KEY,
    } as Record<string, string>);
    reader.leave();
    await instance.stop();
    expect(output).toContain(ALL_HAVE_RUN);
  });
});
