/** Killed with -9 while state is loaded: afterwards everything is as before, or all of it is new. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pause } from "../support/eventually.ts";
import { createDatabase } from "../support/medley.ts";
import { type NodeProcess, startSampleNode } from "../support/processes.ts";
import { roundsHere } from "../support/test-part.ts";

const headers = { authorization: "Bearer first-token-0001" };
const NOTES = 15_000;
const ROUNDS = roundsHere(1, 5);

const exportOf = async (node: NodeProcess) =>
  (await fetch(`${node.url}/_medley/state?service=sample`, { headers })).text();
const importInto = (node: NodeProcess, body: string) =>
  fetch(`${node.url}/_medley/state`, { method: "PUT", headers, body });
const textsOf = (archive: string) =>
  new Set([...archive.matchAll(/"table":"sample_note".*?"text":"(\w+)"/g)].map(([, text]) => text));
const countOf = (archive: string) => archive.split('"table":"sample_note"').length - 1;

/** The same export with very many notes of one text instead. */
function filled(archive: string, text: string): string {
  const { check: _check, ...header } = JSON.parse(archive.slice(0, archive.indexOf("\n")));
  const rows = Array.from({ length: NOTES }, (_, i) =>
    JSON.stringify({
      table: "sample_note",
      row: { account: "111111111111", id: `note-${i}`, text, count: 0 },
    }),
  );
  return [JSON.stringify(header), ...rows, ""].join("\n");
}

describe.each(["sqlite", "postgres"] as const)("an import on %s", (kind) => {
  it(`is whole or nothing, killed ${ROUNDS} times on its way`, async () => {
    const data = mkdtempSync(join(tmpdir(), "medley-import-"));
    const options = { data, ...(kind === "postgres" && { database: await createDatabase() }) };
    let node = await startSampleNode(options);
    const empty = await exportOf(node);
    const beganMs = performance.now();
    expect((await importInto(node, filled(empty, "round0"))).status).toBe(200);
    const tookMs = performance.now() - beganMs;
    let before = "round0";
    for (let round = 1; round <= ROUNDS; round += 1) {
      const loading = importInto(node, filled(empty, `round${round}`)).catch(() => undefined);
      await Promise.race([loading, pause((tookMs * round) / ROUNDS)]);
      await node.kill("SIGKILL");
      await loading;
      node = await startSampleNode(options);
      const after = await exportOf(node);
      expect([countOf(after), textsOf(after).size]).toEqual([NOTES, 1]);
      const [text = ""] = textsOf(after);
      expect([before, `round${round}`]).toContain(text);
      before = text;
    }
    await node.kill("SIGTERM");
    rmSync(data, { recursive: true, force: true });
  });
});
