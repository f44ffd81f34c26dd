/** Training and snapshots on nodes that are killed with -9 in the middle of them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { Medley } from "../../src/app/start.ts";
import { eventually } from "../support/eventually.ts";
import { FaceStage, faceMaker, scopeOf } from "../support/face.ts";
import { createDatabase, Instance, startInstance } from "../support/medley.ts";
import { type NodeProcess, startServe } from "../support/processes.ts";

/** So many that a node is killed before it has worked through them. */
const PERSONS = 3000;
const GROUP = "/largepersongroups/crowd";

type Crowd = {
  readonly state: string;
  readonly personIds: readonly string[];
  /** A detected face of the last person, by account. */
  readonly faceIds: { readonly first: string; readonly second: string };
};
let crowd: Crowd;
beforeAll(async () => {
  const instance = await startInstance({ services: ["face"], extraServices: [faceMaker] });
  const stage = new FaceStage(() => instance);
  await stage.done("PUT", GROUP, { body: { name: "Crowd" } });
  const personIds = await stage.crowd({ kind: "largepersongroup", id: "crowd" }, PERSONS);
  const last = `person ${PERSONS - 1}`;
  const faceIds = {
    first: await stage.detect(last),
    second: await stage.detect(last, 99, "recognition_01", "second"),
  };
  const { text: state } = await instance.bearer("GET", "/_medley/state?service=face");
  await instance.stop();
  crowd = { state, personIds, faceIds };
}, 120_000);

let folder: string;
let nodes: NodeProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "medley-face-"));
  nodes = [];
});
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.kill("SIGKILL")));
  rmSync(folder, { recursive: true, force: true });
});

type Place = { readonly node: NodeProcess; readonly instance: Instance; readonly stage: FaceStage };
async function startNode(...words: string[]): Promise<Place> {
  const node = await startServe(
    ...["--services", "face", "--log-level", "error", "--job-lease-seconds", "2", "--job-poll-ms", "25"],
    ...["--credentials", join(import.meta.dirname, "../support/credentials.json")],
    ...words,
  );
  nodes.push(node);
  const instance = new Instance({ url: node.url } as Medley);
  return { node, instance, stage: new FaceStage(() => instance) };
}
const load = async ({ instance }: Place): Promise<void> => {
  const loaded = await instance.bearer("PUT", "/_medley/state?service=face", { body: crowd.state });
  expect([loaded.status, loaded.text]).toEqual([200, expect.any(String)]);
};
/** Who the detected face is of, in a group. */
const identified = async ({ stage }: Place, id: string, as: "first" | "second" = "first") => {
  const body = { largePersonGroupId: id, faceIds: [crowd.faceIds[as]] };
  const [result] = await stage.done("POST", "/identify", { body, as });
  return result.candidates[0]?.personId;
};
const trainingOf = ({ stage }: Place) => stage.done("GET", `${GROUP}/training`);
const hasEnded = (status: string): boolean => status === "succeeded" || status === "failed";

it("ends a training and a snapshot that a killed node had begun", async () => {
  const words = ["--data", folder];
  let place = await startNode(...words);
  await load(place);
  await place.stage.done("POST", `${GROUP}/train`);
  await eventually(async () => (await trainingOf(place)).status !== "nonstarted", "the training under way");
  await place.node.kill("SIGKILL");

  place = await startNode(...words);
  await eventually(async () => hasEnded((await trainingOf(place)).status), "the end of the training");
  expect((await trainingOf(place)).status).toBe("succeeded");
  expect(await identified(place, "crowd")).toBe(crowd.personIds.at(-1));

  const body = { type: "LargePersonGroup", objectId: "crowd", applyScope: [scopeOf("first")] };
  const sent = await place.stage.send("POST", "/snapshots", { body });
  const location = sent.headers.get("operation-location") ?? "";
  await eventually(async () => {
    const { percentComplete } = await place.stage.done("GET", location);
    return percentComplete > 0;
  }, "the snapshot under way");
  await place.node.kill("SIGKILL");

  place = await startNode(...words);
  const { status, resourceLocation } = await place.stage.ended(location);
  expect(status).toBe("succeeded");
  const applied = await place.stage.send("POST", `${resourceLocation}/apply`, { body: { objectId: "copy" } });
  expect((await place.stage.ended(applied.headers.get("operation-location"))).status).toBe("succeeded");
  expect(await identified(place, "copy")).toBe(crowd.personIds.at(-1));
  const copies = await place.stage.done("GET", "/largepersongroups/copy/persons");
  expect(copies.length).toBe(1000);
  await place.stage.done("DELETE", "/largepersongroups/copy");
  await place.stage.done("DELETE", resourceLocation);
  await eventually(async () => (await place.stage.kept()).face_persisted === PERSONS, "copies freed");
}, 300_000);

it("is the same on two nodes, of which one takes over what the other had begun", async () => {
  const database = ["--database", await createDatabase()];
  const one = await startNode(...database, "--data", join(folder, "one"));
  await load(one);
  const other = await startNode(...database, "--data", join(folder, "other"));
  expect((await one.stage.train(GROUP)).status).toBe("succeeded");
  for (const place of [one, other]) expect(await identified(place, "crowd")).toBe(crowd.personIds.at(-1));

  // What one node deletes and trains anew, the other knows at once, although it has the earlier index in memory.
  await one.stage.done("DELETE", `${GROUP}/persons/${crowd.personIds.at(-1)}`);
  expect(await identified(other, "crowd")).toBeUndefined();
  expect((await other.stage.train(GROUP)).status).toBe("succeeded");
  expect(await identified(one, "crowd")).toBeUndefined();

  const body = { type: "LargePersonGroup", objectId: "crowd", applyScope: [scopeOf("second")] };
  const sent = await one.stage.send("POST", "/snapshots", { body });
  const taken = await other.stage.ended(sent.headers.get("operation-location"));
  const applying = await one.stage.send("POST", `${taken.resourceLocation}/apply`, {
    body: { objectId: "copy" },
    as: "second",
  });
  await one.node.kill("SIGKILL");
  const applied = await other.stage.ended(applying.headers.get("operation-location"), "second");
  expect(applied.status).toBe("succeeded");
  expect(await identified(other, "copy", "second")).toBeUndefined();
  const near = await other.stage.done("GET", "/largepersongroups/copy/persons", { as: "second" });
  expect(near.length).toBe(1000);
}, 300_000);
