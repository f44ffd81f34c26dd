/** `medley language train|test|predict` in continuous integration: output and exit status. */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ZipFile } from "yazl";
import { medley } from "../../../tests/support/command-line.ts";
import { isFirstPart } from "../../../tests/support/test-part.ts";

let folder: string;
let app: string;
let tests: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "medley-language-command-"));
  app = join(folder, "desk.lu");
  tests = join(folder, "tests.lu");
  const intents = {
    Greet: ["hello there", "good morning", "hi"],
    Leave: ["good bye", "see you", "farewell"],
  };
  const said = Object.entries(intents).map(
    ([name, lines]) => `# ${name}\n${lines.map((line) => `- ${line}\n`).join("")}`,
  );
  writeFileSync(app, `> !# @app.name = Desk\n> !# @app.culture = en-us\n\n${said.join("\n")}`);
  writeFileSync(tests, "# Greet\n- hello\n- good morning\n\n# Leave\n- bye\n- hi there\n");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("trains an application, and writes the model where it is told to", async () => {
  const out = join(folder, "desk.model");
  const { code, output } = await medley("language", "train", app, "--out", out);
  expect([code, output]).toEqual([0, expect.stringMatching(/^trained 3 intents .* from 6 utterances/)]);
  expect(statSync(out).size).toBeGreaterThan(1000);
});

it("tests it, and ends with 1 where it stays below the threshold", async () => {
  const good = await medley("language", "test", app, tests, "--threshold", "0.7");
  expect([good.code, good.output]).toEqual([0, expect.stringContaining("4 utterances: intents right 0.750")]);
  expect(good.output).toContain('"hi there": Greet instead of Leave');
  expect((await medley("language", "test", app, tests, "--threshold", "0.8")).code).toBe(1);
  expect((await medley("language", "test", app, tests, "--threshold", "2")).code).toBe(2);
});

it.skipIf(isFirstPart())("names twenty of the utterances that it recognises as something else", async () => {
  const shown = async (wrong: number) => {
    const lines = Array.from({ length: wrong }, (_, at) => `- good bye ${at}\n`);
    writeFileSync(join(folder, "wrong.lu"), `# Greet\n- hello there\n${lines.join("")}`);
    const { output } = await medley("language", "test", app, join(folder, "wrong.lu"));
    return [output.match(/: Leave instead of Greet/g)?.length, /and \d+ more/.exec(output)?.[0]];
  };
  expect(await shown(20)).toEqual([20, undefined]);
  expect(await shown(21)).toEqual([20, "and 1 more"]);
});

it("reads a folder or an archive of files that refer to each other, and imports it into a server", async () => {
  const place = join(folder, "desk");
  mkdirSync(join(place, "more"), { recursive: true });
  const files = {
    "main.lu": "[more](./more/*)\n# Greet\n- hello\n- [others](./more/leave.lu#Leave)\n",
    "more/leave.lu": "# Leave\n- good bye\n",
  };
  const archive = new ZipFile();
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(place, name), text);
    archive.addBuffer(Buffer.from(text), `desk/${name}`);
  }
  archive.end();
  writeFileSync(join(folder, "desk.zip"), await buffer(archive.outputStream));
  for (const given of [place, join(place, "main.lu"), join(folder, "desk.zip")]) {
    const { code, output } = await medley("language", "train", given);
    // The text of Leave is an example of Greet, which has it first.
    expect([code, output]).toEqual([0, expect.stringMatching(/^trained 3 intents .* from 2 utterances/)]);
  }
  const data = join(folder, "data");
  const done = await medley("language", "import", join(folder, "desk.zip"), "--name", "Desk", "--data", data);
  expect([done.code, done.output, done.errors]).toEqual([
    0,
    expect.stringMatching(/imported Desk with 2 intents and 2 utterances: [0-9a-f-]{36}/),
    expect.anything(),
  ]);
  const again = await medley("language", "import", place, "--name", "Desk", "--data", data);
  expect([again.code, again.errors]).toEqual([2, expect.stringContaining("Desk")]);
});

it("says what an utterance means", async () => {
  const { code, output } = await medley("language", "predict", app, "good morning");
  expect([code, JSON.parse(output).prediction.topIntent]).toEqual([0, "Greet"]);
});

it.each([
  [["train"], 2, "which application"],
  [["fly", "x.lu"], 2, "what to do"],
  [["train", "/nowhere/x.lu"], 1, "cannot be read"],
])("ends with a clear line for %j", async (words, code, why) => {
  const ended = await medley("language", ...words);
  expect([ended.code, ended.errors]).toEqual([code, expect.stringContaining(why)]);
});
