/** Power cuts: a node is killed with -9 in mid-write, again and again, and no acknowledged write is lost. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { StartOptions } from "../../src/app/start.ts";
import { eventually } from "../support/eventually.ts";
import { createDatabase } from "../support/medley.ts";
import { startSampleNode } from "../support/processes.ts";
import { roundsHere } from "../support/test-part.ts";

const headers = { authorization: "Bearer first-token-0001", "content-type": "application/json" };
const WRITERS = 16;
const FAILING = 4;
/** Killed somewhere within these many acknowledged writes, so that how fast the machine is does not matter. */
const WRITES_MIN = 30;
const WRITES_MAX = 400;

async function writeUntilKilled(url: string, prefix: string, acknowledged: Set<string>): Promise<void> {
  const write = async (writer: number): Promise<void> => {
    for (let i = 0; ; i += 1) {
      const id = `${prefix}-${writer}-${i}`;
      const response = await fetch(`${url}/sample/notes/${id}`, {
        method: "PUT",
        headers,
        body: '{"text":"x"}',
      });
      if (response.status !== 201) throw new Error(`answered ${response.status}`);
      acknowledged.add(id);
    }
  };
  await Promise.allSettled(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
}
/** These share commits with the others, and each fails after it has written. */
async function failUntilKilled(url: string, acknowledged: ReadonlySet<string>): Promise<void> {
  for (;;) {
    const id = [...acknowledged].at(-1);
    if (id === undefined) await new Promise((resolve) => setImmediate(resolve));
    else {
      const body = '{"fail":true}';
      const response = await fetch(`${url}/sample/notes/${id}:count`, { method: "POST", headers, body });
      if (response.status !== 409) throw new Error(`a failing change was answered with ${response.status}`);
    }
  }
}
async function readAll(url: string): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (let next: string | undefined = ""; next !== undefined; ) {
    const answer = await fetch(`${url}/sample/notes?size=100${next ? `&next=${next}` : ""}`, { headers });
    const page = (await answer.json()) as { notes: { id: string; count: number }[]; next?: string };
    for (const { id, count } of page.notes) found.set(id, count);
    next = page.next;
  }
  return found;
}

async function killAgainAndAgain(
  options: StartOptions,
  times: number,
): Promise<{ acknowledged: number; lost: string[]; counted: string[] }> {
  const acknowledged = new Set<string>();
  for (let round = 0; round < times; round += 1) {
    const node = await startSampleNode(options);
    const enough = acknowledged.size + WRITES_MIN + Math.random() * (WRITES_MAX - WRITES_MIN);
    const writing = writeUntilKilled(node.url, `round-${round}`, acknowledged);
    const failing = Array.from({ length: FAILING }, () => failUntilKilled(node.url, acknowledged));
    const failures = Promise.allSettled(failing);
    await eventually(() => acknowledged.size >= enough, "enough writes");
    await node.kill("SIGKILL");
    await writing;
    for (const one of await failures)
      expect(one).toMatchObject({ reason: { message: expect.not.stringContaining("failing change") } });
  }
  const node = await startSampleNode(options);
  const found = await readAll(node.url);
  await node.kill("SIGTERM");
  const lost = [...acknowledged].filter((id) => !found.has(id));
  const counted = [...found].flatMap(([id, count]) => (count === 0 ? [] : [id]));
  return { acknowledged: acknowledged.size, lost, counted };
}

describe("kill -9 in mid-write", () => {
  it("loses no acknowledged write on the embedded database", async () => {
    const data = mkdtempSync(join(tmpdir(), "medley-kill-"));
    const rounds = roundsHere(2, 20);
    const { acknowledged, lost, counted } = await killAgainAndAgain({ data }, rounds);
    rmSync(data, { recursive: true, force: true });
    expect(acknowledged).toBeGreaterThanOrEqual(rounds * WRITES_MIN);
    expect([lost, counted]).toEqual([[], []]);
  }, 600_000);
  it("loses no acknowledged write on a shared database", async () => {
    const rounds = roundsHere(1, 5);
    const { acknowledged, lost, counted } = await killAgainAndAgain(
      { database: await createDatabase(), data: mkdtempSync(join(tmpdir(), "medley-kill-")) },
      rounds,
    );
    expect(acknowledged).toBeGreaterThanOrEqual(rounds * WRITES_MIN);
    expect([lost, counted]).toEqual([[], []]);
  }, 600_000);
});
