/** Exports: requested, polled until ready, and downloaded. */
import { Type } from "@sinclair/typebox";
import { CONTENT_HEADERS, contentAnswer, contentAnswers } from "#kernel/blobs";
import { isoOf } from "#kernel/clock";
import { answer, anyone, operationsFor } from "#kernel/operation";
import { errors } from "../errors.ts";
import { choiceOf } from "../export/choice.ts";
import { STEPS, writeExport } from "../export/job.ts";
import { findExportLink, signExportLink } from "../links.ts";
import type { ContributionsContext, State } from "../state.ts";
import { amountOf, countUnfinished, findExport, insertExport } from "../store/exports.ts";
import { countContributions } from "../store/search.ts";
import type { ExportRow, Tables } from "../tables/index.ts";
import { sightOf, signedInCallerOf } from "../views/caller.ts";
import * as wire from "../wire/exports.ts";
import { readFilter } from "../wire/filter.ts";

const operation = operationsFor<Tables, State>();
const UNFINISHED_MAX = 5;
const DOWNLOAD_MS = 60 * 60 * 1000;
const UNITS = ["bytes", "kB", "MB", "GB", "TB"];

function progressOf({ done, contributions, finished_at, completed_at }: ExportRow): number {
  if (finished_at !== null && completed_at !== null) return 100;
  return contributions === 0 ? 0 : Math.min(99, Math.floor((done / contributions) * 100));
}
function viewOf({ request, account, clock, secrets }: ContributionsContext, row: ExportRow): wire.ExportView {
  const token = () =>
    signExportLink(secrets, { account, export: row.id, expiresAtMs: clock.nowMs() + DOWNLOAD_MS });
  return {
    id: row.id,
    owner: row.owner_id,
    started: isoOf(row.started_at),
    progress: progressOf(row),
    step: row.step,
    ...(row.finished_at !== null && { finished: isoOf(row.finished_at) }),
    ...(row.completed_at !== null && {
      downloadUrl: `${request.mountUrl}/exports/${row.id}/download?token=${token()}`,
    }),
  };
}
function sizeText(bytes: number): string {
  const unit = bytes === 0 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  return unit === 0 ? `${bytes} ${UNITS[0]}` : `${(bytes / 1000 ** unit).toFixed(1)} ${UNITS[unit]}`;
}

const create = operation({
  id: "contributions.exports.create",
  summary: "Exports contributions as an archive",
  description: `Returns at once; a job writes the archive of what the caller may see now. Poll \`contributions.exports.get\`. The archive is kept for 7 days, while it is one of the last 20 of its owner. A person may have ${UNFINISHED_MAX} exports in progress.`,
  method: "POST",
  path: "/export",
  permission: "contributions:CreateExport",
  query: wire.ExportQuery,
  answers: { 202: wire.Export },
  errors: [errors.invalid, errors.tooMany],
  async handle({ query }, context) {
    const caller = signedInCallerOf(context);
    const { db, account, ids, clock, request } = context;
    const filter = readFilter(query);
    if ((await countUnfinished(db, account, caller.userId)) >= UNFINISHED_MAX)
      throw errors.tooMany("Five exports are under way already: wait for one of them.");
    const sight = await sightOf(context, caller);
    const row: ExportRow = {
      account,
      id: ids.uuid(),
      owner_id: caller.userId,
      filter: JSON.stringify(filter),
      sight: JSON.stringify(sight),
      choice: JSON.stringify(choiceOf(query)),
      base_url: request.mountUrl,
      blob_id: ids.next("blob"),
      size: 0,
      entries: 0,
      step: STEPS.waiting,
      done: 0,
      contributions: await countContributions(db, account, { filter, sight }),
      last_place: null,
      started_at: clock.nowMs(),
      finished_at: null,
      completed_at: null,
    };
    await insertExport(db, row);
    await context.enqueue(writeExport, { id: row.id });
    return answer(202, viewOf(context, row));
  },
});

const summarise = operation({
  id: "contributions.exports.summarise",
  summary: "Estimates the size of an export",
  description: "Counts contributions and media without exporting anything.",
  method: "POST",
  path: "/export-summary",
  permission: "contributions:SummariseExport",
  transaction: "read",
  query: wire.ExportQuery,
  answers: { 200: wire.ExportSummary },
  errors: [errors.invalid],
  async handle({ query }, context) {
    const sight = await sightOf(context, signedInCallerOf(context));
    const wanted = { filter: readFilter(query), sight };
    const amount = await amountOf(context.db, context.account, wanted, choiceOf(query).media);
    return {
      contributions: amount.contributions,
      media: amount.media,
      totalMediaSize: amount.mediaBytes,
      estimatedSize: sizeText(amount.mediaBytes),
    };
  },
});

const ExportId = Type.Object({
  id: Type.String({
    maxLength: 64,
    description: "The export's id.",
    examples: ["8d0c7c0e-13b5-4d9a-8f42-6a3d6f1e2b33"],
  }),
});
const missing = () => errors.notFound("There is no such export.");

const get = operation({
  id: "contributions.exports.get",
  summary: "Returns the progress of an export and its download URL",
  description:
    "The URL is valid for an hour; read the export again for a new one. Only for its owner and the account.",
  method: "GET",
  path: "/exports/{id}",
  permission: "contributions:GetExport",
  params: ExportId,
  noStore: true,
  answers: { 200: wire.Export },
  errors: [errors.notFound],
  async handle({ params }, context) {
    const caller = signedInCallerOf(context);
    const row = await findExport(context.db, context.account, params.id);
    if (!row || (caller.kind !== "account" && row.owner_id !== caller.userId)) throw missing();
    return viewOf(context, row);
  },
});

const download = operation({
  id: "contributions.exports.download",
  summary: "Downloads the archive of an export",
  description: "The token in the URL is the authorisation. Supports ranges, so downloads can be resumed.",
  method: "GET",
  path: "/exports/{id}/download",
  permission: anyone,
  params: ExportId,
  query: Type.Object({
    token: Type.String({ maxLength: 1000, description: "As downloadUrl names it.", examples: ["eyJh.c2ln"] }),
  }),
  headers: Type.Object(CONTENT_HEADERS),
  noStore: true,
  answers: contentAnswers("application/zip"),
  errors: [errors.notFound],
  tags: ["addition"],
  async handle({ params, query, headers }, { secrets, clock, state }) {
    const link = findExportLink(secrets, query.token, clock.nowMs());
    if (link?.export !== params.id) throw missing();
    const { db, account, blobs } = state.workAs(link.account);
    const row = await findExport(db, account, params.id);
    const blob = row && (await blobs.find(row.blob_id));
    if (!blob) throw missing();
    const day = isoOf(row.started_at).slice(0, 10);
    return contentAnswer(blobs, blob, headers, {
      "content-disposition": `attachment; filename="contributions-${day}.zip"`,
      "x-content-type-options": "nosniff",
    });
  },
});

export const exportOperations = [create, summarise, get, download];
