/** Demo data: a small packed program of our own and what it unpacks to. Seeding again changes nothing. */
import { createHash } from "node:crypto";
import { KEPT_MS, NOBODY } from "../domain/keeping.ts";
import { planForgetting } from "../jobs.ts";
import type { UnpackContext } from "../state.ts";
import { findAnalysis, insertAnalysis } from "../store.ts";
import { keptOf } from "../workers/index.ts";
import { makePackedExecutable } from "./packed-sample.ts";

const FILE_NAME = "greenhouse-keeper.exe";

export async function seed(context: UnpackContext): Promise<void> {
  const { db, clock } = context;
  const file = makePackedExecutable();
  const sha256 = createHash("sha256").update(file).digest("hex");
  const nowMs = clock.nowMs();
  if (await findAnalysis(db, NOBODY, { sha256, nowMs })) return;
  // Some thousand instructions: worth no thread.
  const { unpackExecutable } = await import("../unpacking/unpack.ts");
  const { DEFAULT_BUDGET } = await import("../unpacking/outcome.ts");
  const outcome = unpackExecutable(file, DEFAULT_BUDGET);
  await insertAnalysis(db, NOBODY, {
    sha256,
    fileName: FILE_NAME,
    size: file.length,
    verdict: outcome.verdict,
    packer: outcome.report.packer?.name ?? "",
    tookMs: 0,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + KEPT_MS,
    parts: keptOf(outcome).parts,
  });
  await planForgetting(context);
}
