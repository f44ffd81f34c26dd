/** Large imports on a database file: others are answered while rows are written, and see all of them or none. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { authoring } from "../../../tests/support/language.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";

const COUNT = 4_000;
const exported = (name: string) => ({
  luis_schema_version: "7.0.0",
  versionId: "0.1",
  name,
  culture: "en-us",
  intents: [{ name: "Count" }],
  entities: [],
  utterances: Array.from({ length: COUNT }, (_, at) => ({
    text: `say ${at}`,
    intent: "Count",
    entities: [],
  })),
});

describe("large imports", () => {
  let folder: string;
  let instance: Instance;
  let file: InstanceType<typeof DatabaseSync>;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "medley-large-"));
    instance = await startInstance({ data: folder, services: ["language"] });
    file = new DatabaseSync(join(folder, "medley.db"), { readOnly: true });
  });
  afterAll(async () => {
    file.close();
    await instance.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const { send, ok, newApp } = authoring(() => instance);
  const countWritten = (): number =>
    (file.prepare("select count(*) as count from language_example").get() as { count: number }).count;
  const named = async (name: string) =>
    ((await ok("GET", "/apps")) as { name: string; id: string }[]).find((app) => app.name === name);

  it("answer others between their steps, who see nothing of them before the end", async () => {
    let isDone = false;
    const importing = ok("POST", "/apps/import", exported("Large")).finally(() => {
      isDone = true;
    });
    const seen: { readonly written: number; readonly isShown: boolean }[] = [];
    while (!isDone) {
      const isShown = (await named("Large")) !== undefined;
      seen.push({ written: countWritten(), isShown });
    }
    const id = await importing;
    const meanwhile = seen.filter(({ written }) => written > 0 && written < COUNT);
    expect(meanwhile.length).toBeGreaterThan(0);
    expect(meanwhile.every(({ isShown }) => !isShown)).toBe(true);
    const { utterances } = await ok("GET", `/apps/${id}/versions/0.1/export`);
    expect(utterances).toHaveLength(COUNT);

    await ok("POST", `/apps/${id}/versions/0.1/clone`, { version: "0.2" });
    expect((await ok("GET", `/apps/${id}/versions/0.2/export`)).utterances).toEqual(utterances);

    // The content of a deleted version is invisible immediately, and is deleted in steps.
    const stepsUntil = async (left: number, deleting: Promise<unknown>): Promise<void> => {
      const counts = new Set<number>();
      for (let count = countWritten(); count > left; count = countWritten()) {
        counts.add(count);
        await new Promise(setImmediate);
      }
      await deleting;
      expect(counts.size).toBeGreaterThan(2);
    };
    await stepsUntil(COUNT, ok("DELETE", `/apps/${id}/versions/0.2`));
    expect((await send("GET", `/apps/${id}/versions/0.2/examples`)).status).toBe(400);
    await stepsUntil(0, ok("DELETE", `/apps/${id}`));
    expect(await named("Large")).toBeUndefined();
  });

  it("leave nothing behind where the last step is refused", async () => {
    const importing = send("POST", "/apps/import", { body: exported("Twice") });
    while (countWritten() === 0) await new Promise(setImmediate);
    await newApp({ name: "Twice" });
    const { status, body } = await importing;
    expect([status, body.error.message]).toEqual([
      400,
      "There is an application with the name Twice already.",
    ]);
    expect(countWritten()).toBe(0);
  });

  const importing = (text: string) =>
    send("POST", "/apps/import?appName=Long", { body: text, headers: { "content-type": "text/plain" } });
  const longText = (count: number): string =>
    `# Count\n${Array.from({ length: count }, (_, at) => `- say {@number=${at}} of {@thing=cakes}\n`).join("")}`;

  const wrong = "- a {@x} and {@y=b}\n";
  it("answer others while a long text is read", async () => {
    let isDone = false;
    const refusing = importing(`${longText(30_000)}${wrong}`).finally(() => {
      isDone = true;
    });
    let answered = 0;
    for (; !isDone; answered += 1) await ok("GET", "/apps");
    expect((await refusing).body.error.message).toContain("Line 30002: ");
    expect(answered).toBeGreaterThan(10);
  });

  it("refuse long texts with too many utterances", async () => {
    const message = "There are 15000 utterances in a version at the most.";
    expect((await importing(longText(15_001))).body.error.message).toBe(message);
  });

  it("read long texts like short ones, and name the line of what is wrong", async () => {
    const added = "- [other](./other.lu)\n@ list City =\n- Lisbon:\n- Lisboa\n";
    const { status, body: id, headers } = await importing(`${longText(1_000)}${added}`);
    expect([status, headers.get("warning")]).toEqual([
      201,
      '299 medley "Left out, because they refer to other files: lines 1002"',
    ]);
    const app = await ok("GET", `/apps/${id}/versions/0.1/export`);
    expect(app.utterances).toHaveLength(1_000);
    expect(app.closedLists[0].subLists).toEqual([{ canonicalForm: "Lisbon", list: ["Lisboa"] }]);
    await ok("DELETE", `/apps/${id}`);
    const { message } = (await importing(`# Count\n${wrong}`)).body.error;
    expect(message).toContain("Line 2: ");
    expect((await importing(`${longText(1_000)}${wrong}`)).body.error.message).toBe(
      message.replace("Line 2: ", "Line 1002: "),
    );
  });
});
