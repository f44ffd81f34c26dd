/** The product as it is packed: its links lead somewhere, older compilers take its types, and it runs without a compiled driver. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
/** An older compiler, jest and a newer Node. */
const toolFolder = join(root, "tests/packed");
const tools = join(toolFolder, "node_modules");

let folder: string;
let installed: string;

function install(): void {
  const quiet = { cwd: toolFolder, stdio: "ignore" } as const;
  if (!existsSync(join(tools, "jest")))
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--no-package-lock"], quiet);
}
/** As after `npm install --omit=optional`: the packages that it needs, and none of the optional ones. */
function unpack(): void {
  execFileSync("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], {
    cwd: root,
    stdio: "ignore",
  });
  const [archive = ""] = readdirSync(folder);
  const packages = join(folder, "node_modules");
  mkdirSync(packages);
  execFileSync("tar", ["-xzf", join(folder, archive), "-C", packages]);
  execFileSync("mv", [join(packages, "package"), installed]);
  for (const path of ["node_modules/@types/node", "node_modules/undici-types", ...productionPackages()]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(root, path), join(folder, path));
  }
}
/** `node_modules/@img/sharp-linux-x64`: what an installation without optional packages has at its root. */
function productionPackages(): readonly string[] {
  const lock = readFileSync(join(root, "node_modules/.package-lock.json"), "utf8");
  const { packages } = JSON.parse(lock) as { packages: Record<string, { dev?: true; devOptional?: true }> };
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const isLeftOut = (path: string) => path.slice("node_modules/".length) in optionalDependencies;
  return Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => !dev && !devOptional && !path.includes("/node_modules/"))
    .map(([path]) => path)
    .filter((path) => !isLeftOut(path) && existsSync(join(root, path)));
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "medley-packed-"));
  installed = join(folder, "node_modules/medley");
  install();
  unpack();
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("every link of its README leads into the package or to an address", () => {
  const readme = readFileSync(join(installed, "README.md"), "utf8");
  const links = [...readme.matchAll(/\](?:\(|: )([^)#\s]+)/g)].map(([, target = ""]) => target);
  expect(links.length).toBeGreaterThan(25);
  const missing = links.filter((link) => !/^https?:/.test(link) && !existsSync(join(installed, link)));
  expect(missing).toEqual([]);
});

const CONSUMER = `
import { startMedley, type Medley } from "medley";
const medley: Medley = await startMedley({ services: ["braille"], brailleEngine: "bundled" });
const ran = await medley.clock.advance("36h");
const key: string | undefined = medley.credentials.accounts[0]?.apiKeys?.[0];
export const seen = [medley.url, key, ran.length];
await medley.stop();
`;
describe("its types compile under TypeScript 5.4, every library checked", () => {
  it.each([
    ["with the types of Node", ["--types", "node"]],
    ["without any other types", ["--typeRoots", "none"]],
  ])("%s", (_words, types) => {
    writeFileSync(join(folder, "consumer.mts"), CONSUMER);
    const flags = ["--noEmit", "--strict", "--skipLibCheck", "false", "--target", "es2022", ...types];
    const modules = ["--module", "nodenext", "--moduleResolution", "nodenext"];
    const { stdout, status } = spawnSync(
      process.execPath,
      [join(tools, "typescript/bin/tsc"), ...flags, ...modules, "consumer.mts"],
      { cwd: folder, encoding: "utf8" },
    );
    expect([stdout, status]).toEqual(["", 0]);
  });
});

const node22 = () => join(tools, `node-${process.platform}-${process.arch}`, "bin/node");

const JEST_TEST = `
const { startMedley } = require("medley");
test("an instance answers", async () => {
  const medley = await startMedley({ services: ["braille"] });
  expect((await fetch(medley.url + "/_medley/ready")).status).toBe(200);
  await medley.stop();
});
`;
it.each([
  ["the Node that runs this", () => process.execPath],
  ["Node 22", node22],
])("plain jest loads it by require, on %s", (_words, node) => {
  const project = join(folder, "with-jest");
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, "package.json"), "{}");
  writeFileSync(join(project, "medley.test.js"), JEST_TEST);
  // jest finds packages by walking up, and reads the real path of what it finds.
  const words = [join(tools, "jest/bin/jest.js"), "--rootDir", project, "--no-watchman", "--no-cache"];
  // Node 20 takes its driver from the optional packages, which are beside the project.
  const environment = { ...process.env, NODE_PATH: join(root, "node_modules"), CI: "true" };
  const { status, stderr } = spawnSync(node(), words, { cwd: project, encoding: "utf8", env: environment });
  expect(stderr).toMatch(/Tests: +1 passed/);
  expect(status).toBe(0);
});

describe("on Node 22, without the optional packages", () => {
  const medley = (node: string, entry: string, ...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(node, [entry, ...words], { cwd: folder, encoding: "utf8" });
    return { status, output: stdout, errors: stderr };
  };
  const here = (...words: string[]) => medley(node22(), join(installed, "dist/main.js"), ...words);

  it("what Node has built in serves, and nobody is warned of it", () => {
    const { status, output, errors } = here("doctor", "--port", "0", "--data", "new");
    expect(output).toMatch(/^ok {4}embedded SQLite: by Node's own$/m);
    expect([status, errors]).toEqual([0, ""]);
  });
  it("demo data is made, saved, cleared and loaded, and the other driver reads the same file", () => {
    expect(here("seed", "--data", "data")).toMatchObject({ status: 0, errors: "" });
    expect(here("state", "export", "first.ndjson", "--data", "data").status).toBe(0);
    expect(here("state", "reset", "--data", "data").status).toBe(0);
    expect(here("state", "import", "first.ndjson", "--data", "data").status).toBe(0);
    const other = medley(
      process.execPath,
      join(root, "dist/main.js"),
      "state",
      "export",
      "other.ndjson",
      "--data",
      "data",
    );
    expect(other.status).toBe(0);
    // Only tables no job works on: messages, calls and the queue move on while the commands run.
    const written = (name: string) =>
      readFileSync(join(folder, name), "utf8")
        .split("\n")
        .filter((line) => /^{"table":"(robotics|resource_groups|configuration_(value|revision))/.test(line))
        .sort();
    expect(written("other.ndjson")).toEqual(written("first.ndjson"));
    expect(written("first.ndjson").length).toBeGreaterThan(20);
  });
});
