/**
 * Analyses an uploaded executable: returns the stored result of the same hash, or emulates the file and
 * stores the result.
 */
import { networkOf } from "#kernel/auth";
import { operationsFor } from "#kernel/operation";
import {
  FILE_BYTES_MAX,
  isKept,
  KEPT_BYTES_MAX,
  KEPT_COUNT_MAX,
  keepingFrom,
  NOBODY,
  unpackedNameOf,
} from "../domain/keeping.ts";
import { errors } from "../errors.ts";
import { planForgetting } from "../jobs.ts";
import type { State, UnpackContext } from "../state.ts";
import * as store from "../store.ts";
import type { Tables } from "../tables.ts";
import { type Asker, type Emulated, type KeptReport, readContent, readReport } from "../workers/index.ts";
import type { Analysis, Upload } from "./upload.ts";
import { reportViewOf } from "./views.ts";

function analysisOf(
  { name, size, sha256 }: Upload,
  { report, unpackedSha256 }: KeptReport,
  bytes: Uint8Array | undefined,
  facts: Pick<Analysis, "tookMs" | "isCached">,
): Analysis {
  const file = { name, size, sha256 };
  const unpacked =
    bytes && unpackedSha256 !== undefined
      ? { name: unpackedNameOf(name), size: bytes.length, sha256: unpackedSha256, bytes }
      : undefined;
  return { ...facts, file, report, unpacked };
}

async function findKept(context: UnpackContext, upload: Upload): Promise<Analysis | undefined> {
  const { db, clock } = context;
  const { sha256 } = upload;
  const kept = await store.findAnalysis(db, NOBODY, { sha256, nowMs: clock.nowMs() });
  const report = kept && (await store.findPart(db, NOBODY, sha256, "report"));
  if (!report) return undefined;
  const content = await store.findPart(db, NOBODY, sha256, "content");
  // A cleanup may delete the parts between the two queries.
  if (kept.verdict === "unpacked" && !content) return undefined;
  return analysisOf(upload, await readReport(report), content && (await readContent(content)), {
    tookMs: kept.tookMs,
    isCached: true,
  });
}

async function keep(context: UnpackContext, upload: Upload, emulated: Emulated): Promise<void> {
  const { parts, verdict, report, tookMs } = emulated;
  if (!isKept(parts)) return;
  await context.transact(async (inner) => {
    const nowMs = inner.clock.nowMs();
    await store.deleteExpired(inner.db, NOBODY, nowMs);
    const isNew = await store.insertAnalysis(inner.db, NOBODY, {
      sha256: upload.sha256,
      fileName: upload.name,
      size: upload.size,
      verdict,
      tookMs,
      parts,
      ...keepingFrom(nowMs, report.packer),
    });
    if (!isNew) return;
    await store.makeRoom(inner.db, NOBODY, { countMax: KEPT_COUNT_MAX, bytesMax: KEPT_BYTES_MAX });
    await planForgetting(inner);
  });
}

/** Identity in the fair queue: the account of authenticated callers, the network of anonymous ones. */
export function askerOf({ request: { knownCaller, remoteAddress } }: UnpackContext): Asker {
  return knownCaller
    ? { name: knownCaller.account, isKnown: true }
    : { name: networkOf(remoteAddress), isKnown: false };
}

export async function analyse(context: UnpackContext, upload: Upload): Promise<Analysis> {
  const known = await findKept(context, upload);
  if (known) return known;
  const { laboratory } = context.state;
  const emulated = await laboratory.emulate(askerOf(context), upload.sha256, upload.bytes);
  await keep(context, upload, emulated);
  return analysisOf(upload, emulated, emulated.content, { tookMs: emulated.tookMs, isCached: false });
}

/** Throws an error if the packed program was not reached. The error carries the report. */
export async function analyseFully(context: UnpackContext, upload: Upload): Promise<Analysis> {
  const analysis = await analyse(context, upload);
  if (analysis.report.verdict !== "stopped") return analysis;
  const { reason, instructions, layers } = analysis.report;
  const came = `${instructions} instructions and ${layers.length} ${layers.length === 1 ? "layer" : "layers"}`;
  throw errors.notUnpacked(`The file could not be unpacked: emulation stopped after ${came}. ${reason}`, {
    fields: { report: reportViewOf(analysis) },
  });
}

/** The uploaded file, or its unpacked form. A file that is not packed is its own unpacked form. */
export async function formOf(
  context: UnpackContext,
  upload: Upload,
  isUnpackingRequired: boolean,
): Promise<{ readonly bytes: Uint8Array; readonly size: number; readonly isUnpacked: boolean }> {
  if (!isUnpackingRequired) return { ...upload, isUnpacked: false };
  const { unpacked } = await analyseFully(context, upload);
  return { ...(unpacked ?? upload), isUnpacked: unpacked !== undefined };
}

export const operation = operationsFor<Tables, State>();
/** Limits of a request with a file, its multipart envelope, and rules or ignored strings. */
export const TAKES_FILE = {
  bodyKinds: ["multipart"],
  bodyBytesMax: FILE_BYTES_MAX + 6 * 1024 * 1024,
  // The operation waits for worker threads, so it must not hold a transaction open.
  transaction: "manual",
  timeoutSeconds: 300,
  // No credential is needed, but callers with one take precedence.
  notesCallers: true,
} as const;
