/** Services are loaded when they are mounted, and add to the command line without being loaded. */
import { execFile } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, it, vi } from "vitest";
import { loadServices, type ServiceEntry, serviceTable } from "../../src/app/index.ts";
import { run } from "../../src/cli/index.ts";
import { FailedError, type ServiceCommand, UsageError } from "../../src/kernel/manifest/index.ts";

const script = join(import.meta.dirname, "../support/loaded-modules.mjs");
/** Known without loading a service. */
const LIGHT = /^[^/]+\/(manifest|settings)\.js$/;

async function loadedBy(services: readonly string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...services]);
  return stdout.split("\n").filter((module) => module !== "");
}
async function foldersLoaded(...services: string[]): Promise<string[]> {
  const loaded = await loadedBy(services);
  const heavy = loaded.filter((module) => !module.startsWith("package ") && !LIGHT.test(module));
  return [...new Set(heavy.map((module) => module.split("/")[0] as string))].sort();
}
/** Of these each start needs one part or another; what only some requests need is loaded with the first of them. */
const PACKAGES_OF_ALL = [
  "@fastify/busboy",
  "@node-rs/argon2",
  "@photostructure/sqlite",
  "@sinclair/typebox",
  "any-ascii",
  "croner",
  "fast-decode-uri-component",
  "fast-deep-equal",
  "fast-querystring",
  "find-my-way",
  "ipaddr.js",
  "kysely",
  "node-gyp-build",
  "ret",
  "safe-regex2",
];

it("an instance of one service loads that one", async () => {
  expect(await foldersLoaded("braille")).toEqual(["braille"]);
  expect(await foldersLoaded("scheduler", "voice")).toEqual(["scheduler", "voice"]);
});

it("the command line itself loads no package, and nothing that serves", async () => {
  const folder = join(import.meta.dirname, "../../dist");
  const known = new Set([join(folder, "main.js")]);
  for (const file of known)
    for (const [, path] of readFileSync(file, "utf8").matchAll(/^(?:import|\} from) "([^"]+)";$/gm)) {
      expect([file, path]).toEqual([file, expect.stringMatching(/^(?:\.|node:)/)]);
      if (path?.startsWith(".")) known.add(join(dirname(file), path));
    }
  const size = [...known].reduce((sum, file) => sum + statSync(file).size, 0);
  expect(size).toBeLessThan(200_000);
});

it("no package is loaded that only one of them needs", async () => {
  const loaded = await loadedBy(serviceTable.map(({ name }) => name));
  const packages = loaded.flatMap((line) =>
    line.startsWith("package ") && !line.includes("argon2-") ? [line.slice(8)] : [],
  );
  expect([...new Set(packages)].sort()).toEqual(PACKAGES_OF_ALL);
});

it("each is in the table under its own name", async () => {
  const services = await loadServices();
  expect(services.map(({ name }) => name)).toEqual(serviceTable.map(({ name }) => name));
});

it("who is named without what it needs is told what is missing", async () => {
  await expect(loadServices(["configuration-data"])).rejects.toThrow(
    "configuration-data needs configuration-stores: name it as well",
  );
  await expect(loadServices(["brail"])).rejects.toThrow(
    /no service named brail; there are identity, contributions, unpack, braille, /,
  );
});

const command: ServiceCommand = {
  usage: ["paint mix COLOUR [--with COLOUR] [--shiny]"],
  summary: "mix colours",
  flags: { with: "text", shiny: "switch" },
  async run({ words, text, has, config }) {
    if (words[0] !== "mix") throw new UsageError("say mix");
    if (words[1] === undefined) throw new FailedError("there is nothing to mix");
    console.log(`${words[1]} with ${text("with")}${has("shiny") ? ", shiny" : ""} in ${config.dataFolder}`);
    return 0;
  },
};
const paint: ServiceEntry = {
  name: "paint",
  manifest: { command },
  load: () => Promise.reject(new Error("it was loaded")),
};
const medley = async (...words: string[]) => {
  const said: string[] = [];
  vi.spyOn(console, "log").mockImplementation((text) => void said.push(text));
  vi.spyOn(console, "error").mockImplementation((text) => void said.push(text));
  return { code: await run(words, [paint]), text: said.join("\n") };
};
afterEach(() => {
  vi.restoreAllMocks();
});

it("a service's command is run with its words, its flags and the settings", async () => {
  const words = ["paint", "mix", "red", "--with", "blue", "--shiny", "--data", "palette"];
  expect(await medley(...words)).toEqual({ code: 0, text: "red with blue, shiny in palette" });
});

it("a service's command is shown by help, and says what was wrong", async () => {
  expect((await medley("help")).text).toContain(
    "  paint mix COLOUR [--with COLOUR] [--shiny]\n      mix colours",
  );
  expect((await medley("help", "paint")).text).toBe(
    "medley paint mix COLOUR [--with COLOUR] [--shiny]\n    mix colours",
  );
  expect(await medley("paint", "stir")).toEqual({ code: 2, text: "medley paint: say mix" });
  expect(await medley("paint", "mix")).toEqual({ code: 1, text: "medley paint: there is nothing to mix" });
  expect((await medley("paint", "mix", "red", "--matt")).code).toBe(2);
});
