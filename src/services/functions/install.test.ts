/**
 * Dependencies that a source names but does not contain. The packages are in the archive, so no network is
 * needed.
 */
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../tests/support/eventually.ts";
import { Functions } from "../../../tests/support/functions.ts";
import {
  createDatabase,
  type Instance,
  onBothDatabases,
  startInstance,
} from "../../../tests/support/medley.ts";
import { packInstalled } from "./running/install.ts";
import { findLevel, userIdOf } from "./running/sandbox.ts";

const SOURCE = {
  "index.js": "const text = require('greeting'); exports.wants = (q, s) => s.send(text);",
  "package.json": JSON.stringify({ dependencies: { greeting: "file:./greeting" } }),
  "greeting/package.json": JSON.stringify({
    name: "greeting",
    version: "1.0.0",
    main: "text.js",
    scripts: { install: "echo 'module.exports = \"changed\"' > text.js" },
  }),
  "greeting/text.js": "module.exports = 'good day';",
};
/** As if npm had put a link to another folder in the place of the source. */
async function packAt(folder: string): Promise<void> {
  mkdirSync(join(folder, "other", "node_modules"), { recursive: true });
  symlinkSync(join(folder, "other"), join(folder, "code"));
  await packInstalled(join(folder, "code"), join(folder, "packed.zip"));
}
const isShutIn = (await findLevel(userIdOf(0))) === "bubblewrap";

describe("where it is allowed", () => {
  let nodes: Instance[] = [];
  const functionsOf = (index: number) => new Functions(() => nodes[index] as Instance);
  beforeAll(async () => {
    const database = await createDatabase();
    const options = { database, services: ["functions"], functionsInstall: true } as object;
    nodes = [await startInstance(options), await startInstance(options)];
  }, 60_000);
  afterAll(() => Promise.all(nodes.map((node) => node.stop())));

  it.runIf(isShutIn)(
    "they are installed once, without their scripts, and every node runs the same",
    async () => {
      const [here, there] = [functionsOf(0), functionsOf(1)];
      const url = await here.running("wants", { source: SOURCE });
      expect((await here.call(url)).text).toBe("good day");
      expect((await there.call(await there.urlOf("wants"))).text).toBe("good day");
      const isTold = async () =>
        (await here.lines("wants")).some(({ text }) => text.includes("added 1 package"));
      await eventually(isTold, "what npm says, in the log");
    },
    120_000,
  );
  it.runIf(isShutIn)(
    "what cannot be installed is told in the operation and in the log",
    async () => {
      const functions = functionsOf(0);
      const source = {
        ...SOURCE,
        "package.json": JSON.stringify({ dependencies: { greeting: "file:./nowhere.tgz" } }),
      };
      const { error } = await functions.create("fails", { source, entryPoint: "wants" });
      expect(error.message).toMatch(/^The dependencies could not be installed: .*nowhere/);
      expect(error.message).not.toContain("mdly-");
      await eventually(async () => (await functions.lines("fails")).length > 0, "what npm says, in the log");
    },
    120_000,
  );
  it.runIf(isShutIn)(
    "what npm runs leads the server to no file of the machine",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "install-"));
      const file = join(folder, "file.txt");
      writeFileSync(file, "of the machine");
      const functions = functionsOf(0);
      const source = {
        ...SOURCE,
        // Run by git: its failure is no failure of what is optional.
        "git.js": `require("node:fs").symlinkSync("${file}", process.env.HOME + "/node_modules.zip");`,
        "package.json": JSON.stringify({
          dependencies: { greeting: "file:./greeting" },
          optionalDependencies: { nothing: "git+ssh://git@localhost/nothing.git" },
        }),
      };
      const environmentVariables = { GIT_SSH_COMMAND: `${process.execPath} code/git.js` };
      const body = await functions.bodyOf("misled", { source, entryPoint: "wants" });
      Object.assign(body.buildConfig as object, { environmentVariables });
      const created = await functions.send("POST", `${functions.place}/functions?functionId=misled`, {
        body,
      });
      expect((await functions.ended(created)).error).toBeUndefined();
      expect(readFileSync(file, "utf8")).toBe("of the machine");
      await expect(packAt(folder)).rejects.toThrow("the source was moved");
    },
    120_000,
  );
  it.runIf(!isShutIn)("they are not installed without bubblewrap", async () => {
    const { error } = await functionsOf(0).create("wants", { source: SOURCE });
    expect(error.message).toContain("bubblewrap");
  });
});

onBothDatabases(
  "packages that are missing",
  (instance) => {
    const functions = new Functions(instance);
    it.each([
      ["required", "index.js", "exports.wants = require('greeting/deep');"],
      ["imported", "index.mjs", "import greeting from 'greeting/deep'; export const wants = greeting;"],
    ])("are named with what helps, and nothing of the server is told (%s)", async (how, file, text) => {
      const id = `wants-${how}`;
      const { error } = await functions.create(id, { source: { [file]: text }, entryPoint: "wants" });
      expect(error.message).toMatch(
        /^The source wants the package greeting\S*, which it does not bring: .*node_modules.*--functions-install/,
      );
      expect(error.message).not.toContain("mdly-");
    });
    it("files that are missing are named as the source knows them", async () => {
      const source = "require('./part'); exports.wants = () => {};";
      const { error } = await functions.create("wants-part", { source, entryPoint: "wants" });
      expect(error.message).toContain("Cannot find module './part'");
      expect(error.message).not.toContain("mdly-");
    });
  },
  { services: ["functions"] },
);
