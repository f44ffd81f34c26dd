/** `medley events tail`: another process follows what detectors do, as it happens. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { main, medley } from "../../../tests/support/command-line.ts";
import { Events, motorModel } from "../../../tests/support/events.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { Instance } from "../../../tests/support/medley.ts";
import { type NodeProcess, startServe } from "../../../tests/support/processes.ts";
import type { Medley } from "../../app/start.ts";

const credentials = join(import.meta.dirname, "../../../tests/support/credentials.json");
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /;

describe("events tail", () => {
  const data = mkdtempSync(join(tmpdir(), "medley-tail-"));
  const followers: Follower[] = [];
  let node: NodeProcess;
  let events: Events;
  beforeAll(async () => {
    node = await startServe("--data", data, "--services", "events", "--credentials", credentials);
    const instance = new Instance({ url: node.url } as Medley);
    events = new Events(() => instance);
    await events.createInput();
    await events.createModel("motors", motorModel);
    await events.createModel("others", motorModel);
    await events.pressure("before", 80);
    await events.isIn("motors", "before", "Dangerous");
  });
  afterAll(async () => {
    for (const follower of followers) follower.process.kill("SIGKILL");
    await node?.kill("SIGTERM");
    rmSync(data, { recursive: true, force: true });
  });

  type Follower = { readonly process: ChildProcess; readonly lines: () => string[] };
  async function follow(...words: string[]): Promise<Follower> {
    const connection = ["--url", node.url, "--token", "first-token-0001"];
    const child = spawn(process.execPath, [main, "events", "tail", ...words, ...connection]);
    let output = "";
    let errors = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      errors += chunk.toString();
    });
    const follower = {
      process: child,
      lines: () =>
        output
          .split("\n")
          .filter(Boolean)
          .map((line) => line.replace(TIME, "")),
    };
    followers.push(follower);
    await eventually(() => errors.includes("Following"), `the beginning of ${words.join(" ")}`);
    return follower;
  }

  it("tells of a model's detectors, or of one of them, from now on", async () => {
    const [all, one] = [await follow("motors"), await follow("motors", "--key", "a")];
    await events.pressure("a", 80, 60, 60, 60);
    await events.pressure("b", 80);
    const made = (key: string) => `motors ${key} created: The detector begins in "Normal".`;
    const ofA = [made("a"), "motors a Normal → Dangerous", "motors a Dangerous → Normal"];
    await eventually(() => all.lines().length >= 5 && one.lines().length >= 3, "all that happened");
    expect(one.lines()).toEqual(ofA);
    expect(all.lines()).toEqual([...ofA, made("b"), "motors b Normal → Dangerous"]);
  });

  it("says what it needs", async () => {
    const connection = ["--url", node.url, "--token", "first-token-0001"];
    for (const words of [["events"], ["events", "tail"], ["events", "head", "motors"]]) {
      const { code, errors } = await medley(...words, ...connection);
      expect([words, code]).toEqual([words, 2]);
      expect(errors).toContain("events tail MODEL");
    }
    const tooMuch = await medley("events", "tail", "motors", "others", ...connection);
    expect(tooMuch.code).toBe(2);
    expect(tooMuch.errors).toContain("others");
    const stranger = await medley("events", "tail", "motors", "--url", node.url, "--token", "nonsense");
    expect(stranger.code).toBe(1);
    expect(stranger.errors).toContain("401");
  });
});
