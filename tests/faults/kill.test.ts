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
async function readAll(url: string): Promise<Set<string>> {
  const found = new Set<string>();
  for (let next: string | undefined = ""; next !== undefined; ) {
    const answer = await fetch(`${url}/sample/notes?size=100${next ? `&next=${next}` : ""}`, { headers });
    const page = (await answer.json()) as { notes: { id: string }[]; next?: string };
    for (const { id } of page.notes) found.add(id);
    next = page.next;
  }
  return found;
}

async function killAgainAndAgain(
  options: StartOptions,
  times: number,
): Promise<{ acknowledged: number; lost: string[] }> {
  const acknowledged = new Set<string>();
  for (let round = 0; round < times; round += 1) {
    const node = await startSampleNode(options);
    const enough = acknowledged.size + WRITES_MIN + Math.random() * (WRITES_MAX - WRITES_MIN);
    const writing = writeUntilKilled(node.url, `round-${round}`, acknowledged);
    await eventually(() => acknowledged.size >= enough, "enough writes");
    await node.kill("SIGKILL");
    await writing;
  }
  const node = await startSampleNode(options);
  const found = await readAll(node.url);
  await node.kill("SIGTERM");
  return { acknowledged: acknowledged.size, lost: [...acknowledged].filter((id) => !found.has(id)) };
}

describe("kill -9 in mid-write", () => {
  it("loses no acknowledged write on the embedded database", async () => {
    const data = mkdtempSync(join(tmpdir(), "medley-kill-"));
    const rounds = roundsHere(5, 20);
    const { acknowledged, lost } = await killAgainAndAgain({ data }, rounds);
    rmSync(data, { recursive: true, force: true });
    expect(acknowledged).toBeGreaterThanOrEqual(rounds * WRITES_MIN);
    expect(lost).toEqual([]);
  }, 600_000);
  it("loses no acknowledged write on a shared database", async () => {
    const rounds = roundsHere(2, 5);
    const { acknowledged, lost } = await killAgainAndAgain(
      { database: await createDatabase(), data: mkdtempSync(join(tmpdir(), "medley-kill-")) },
      rounds,
    );
    expect(acknowledged).toBeGreaterThanOrEqual(rounds * WRITES_MIN);
    expect(lost).toEqual([]);
  }, 600_000);
});
