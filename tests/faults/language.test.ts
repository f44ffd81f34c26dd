/** Training and imports on nodes that are killed with -9 in the middle of it, and a published model on every node and after a restart. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Medley } from "../../src/app/start.ts";
import { generateIntents } from "../../src/services/language/learning/generated-content.ts";
import { eventually } from "../support/eventually.ts";
import { createDatabase, Instance } from "../support/medley.ts";
import { type NodeProcess, startServe } from "../support/processes.ts";

const AUTHORING = "/language/luis/authoring/v3.0-preview";

/** A second or two of learning: so much that a node is killed before its end. */
const { content, test } = generateIntents({ intentCount: 6, utterancesEach: 20, silentShare: 0 });
const APPLICATION = {
  luis_schema_version: "7.0.0",
  versionId: "0.1",
  name: "Made",
  culture: "en-us",
  intents: content.intents.map(({ name }) => ({ name })),
  entities: [],
  utterances: content.utterances.map(({ text, intent }) => ({ text, intent, entities: [] })),
};
const [asked] = test;

let folder: string;
let nodes: NodeProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "medley-language-"));
  nodes = [];
});
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.kill("SIGKILL")));
  rmSync(folder, { recursive: true, force: true });
});

class Place {
  readonly node: NodeProcess;
  readonly #instance: Instance;
  constructor(node: NodeProcess) {
    this.node = node;
    this.#instance = new Instance({ url: node.url } as Medley);
  }
  async call(method: string, path: string, body?: unknown) {
    const options = body === undefined ? {} : { body };
    const sent = await this.#instance.apiKey("Vendor-Subscription-Key", method, path, options);
    expect(sent.status, `${method} ${path} ${sent.text}`).toBeLessThan(300);
    return sent.body;
  }
  async statuses(app: string): Promise<readonly string[]> {
    const models: { details: { status: string } }[] = await this.call(
      "GET",
      `${AUTHORING}/apps/${app}/versions/0.1/train`,
    );
    return [...new Set(models.map(({ details }) => details.status))];
  }
  async hasLearned(app: string): Promise<boolean> {
    const statuses = await this.statuses(app);
    return !statuses.includes("Queued") && !statuses.includes("InProgress");
  }
  advance(by: string) {
    return this.#instance.bearer("POST", "/_medley/clock/advance", { body: { by } });
  }
  predict(app: string) {
    const path = `/language/luis/prediction/v3.0/apps/${app}/slots/production/predict?show-all-intents=true`;
    return this.call("POST", path, { query: asked?.text });
  }
}

async function startNode(...words: string[]): Promise<Place> {
  const node = await startServe(
    ...["--services", "language,language-predictions", "--log-level", "error"],
    ...["--job-lease-seconds", "2", "--job-poll-ms", "25"],
    ...["--credentials", join(import.meta.dirname, "../support/credentials.json")],
    ...words,
  );
  nodes.push(node);
  return new Place(node);
}

/** Imports the application and asks for its training; answers when a node works on it. */
async function beginTraining(place: Place): Promise<string> {
  const app: string = await place.call("POST", `${AUTHORING}/apps/import`, APPLICATION);
  await place.call("POST", `${AUTHORING}/apps/${app}/versions/0.1/train`);
  await eventually(async () => (await place.statuses(app)).includes("InProgress"), "the training under way");
  return app;
}
const publish = (place: Place, app: string) =>
  place.call("POST", `${AUTHORING}/apps/${app}/publish`, { versionId: "0.1", isStaging: false });

it("ends a training that a killed node had begun, and answers the same after another restart", async () => {
  const words = ["--data", folder];
  const killed = await startNode(...words);
  const app = await beginTraining(killed);
  await killed.node.kill("SIGKILL");

  const place = await startNode(...words);
  await eventually(() => place.hasLearned(app), "the end of the training");
  await publish(place, app);
  const answer = await place.predict(app);
  expect(answer.prediction.topIntent).toBe(asked?.intent);
  await place.node.kill("SIGKILL");
  expect(await (await startNode(...words)).predict(app)).toEqual(answer);
}, 300_000);

it("is the same on every node, of which one takes over what a killed one had begun", async () => {
  const database = ["--database", await createDatabase()];
  const one = await startNode(...database, "--data", join(folder, "one"));
  const app = await beginTraining(one);
  // It stands still in the middle of the training while the others come up.
  one.node.process.kill("SIGSTOP");
  const [other, third] = await Promise.all([
    startNode(...database, "--data", join(folder, "other")),
    startNode(...database, "--data", join(folder, "third")),
  ]);
  await one.node.kill("SIGKILL");
  await eventually(() => other.hasLearned(app), "the end of the training on another node");
  await publish(other, app);
  expect(await third.predict(app)).toEqual(await other.predict(app));
}, 300_000);

it("takes away what an import had written when its node was killed", async () => {
  const count = 15_000;
  const utterances = Array.from({ length: count }, (_, at) => ({ text: `say ${at}`, intent: "None" }));
  let place = await startNode("--data", folder);
  const file = new DatabaseSync(join(folder, "medley.db"), { readOnly: true });
  const counting = file.prepare("select count(*) as count from language_example");
  const countWritten = () => (counting.get() as { count: number }).count;
  let finished = -1;
  // An import that came to its end before its node did is no proof: then the next is killed.
  do {
    finished += 1;
    const body = { ...APPLICATION, name: `Made ${finished}`, utterances };
    const importing = place.call("POST", `${AUTHORING}/apps/import`, body).catch(() => "killed");
    while (countWritten() === finished * count) await new Promise(setImmediate);
    await place.node.kill("SIGKILL");
    await importing;
    place = await startNode("--data", folder);
  } while ((await place.call("GET", `${AUTHORING}/apps`)).length > finished);
  expect(countWritten()).toBeGreaterThan(finished * count);
  await place.advance("25h");
  await eventually(() => countWritten() === finished * count, "the rows taken away");
  file.close();
}, 300_000);
