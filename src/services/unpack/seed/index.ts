/** Demo data: a small packed program and its unpacked form. Seeding is idempotent. */
import { createHash } from "node:crypto";
import { keepingFrom, NOBODY } from "../domain/keeping.ts";
import { planForgetting } from "../jobs.ts";
import type { UnpackContext } from "../state.ts";
import { findAnalysis, insertAnalysis } from "../store.ts";
import { makePackedExecutable } from "./packed-sample.ts";

const FILE_NAME = "greenhouse-keeper.exe";
const SEED_ASKER = { name: "seed", isKnown: true };

export async function seed(context: UnpackContext): Promise<void> {
  const { db, clock, state } = context;
  const file = makePackedExecutable();
  const sha256 = createHash("sha256").update(file).digest("hex");
  const nowMs = clock.nowMs();
  if (await findAnalysis(db, NOBODY, { sha256, nowMs })) return;
  const { verdict, report, parts, tookMs } = await state.laboratory.emulate(SEED_ASKER, sha256, file);
  await insertAnalysis(db, NOBODY, {
    sha256,
    fileName: FILE_NAME,
    size: file.length,
    verdict,
    tookMs,
    parts,
    ...keepingFrom(nowMs, report.packer),
  });
  await planForgetting(context);
}
