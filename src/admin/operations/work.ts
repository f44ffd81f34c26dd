/** Durable work. */
import { Type } from "@sinclair/typebox";
import { isoOf } from "#kernel/clock";
import { operationsFor } from "#kernel/operation";
import type { KernelTables } from "#kernel/runtime";
import { OWN_PERMISSION, visibleAccountOf } from "../protocol.ts";
import * as store from "../store.ts";
import { RecordFilter, RecordView, timeOf } from "../wire.ts";

const operation = operationsFor<KernelTables>();

type JobRow = Awaited<ReturnType<typeof store.listJobs>>[number];
const showJob = (row: JobRow) => ({
  id: row.id,
  job: row.name,
  service: row.service,
  account: row.account,
  state: row.state,
  runAt: isoOf(row.run_at),
  attempts: row.attempts,
  error: row.error,
  payload: JSON.parse(row.payload),
  createdAt: isoOf(row.created_at),
  finishedAt: timeOf(row.finished_at),
});

export const workOperations = [
  operation({
    id: "medley.jobs.list",
    summary: "Durable work and its state, newest first; of the caller's account, or of all for admins",
    method: "GET",
    path: "/jobs",
    permission: OWN_PERMISSION,
    query: Type.Object(RecordFilter),
    answers: { 200: Type.Object({ jobs: Type.Array(RecordView), nextToken: Type.Optional(Type.String()) }) },
    async handle({ query: { limit: size, nextToken: token, ...wanted } }, { db, pages, principal }) {
      const filter = { ...wanted, account: visibleAccountOf(principal, wanted.account) };
      const { rows, ...next } = await pages.of(
        { size, token, filter },
        (row: JobRow) => [row.id],
        (before, limit) => store.listJobs(db, { ...filter, before: before?.[0], limit }),
      );
      return { jobs: rows.map(showJob), ...next };
    },
  }),
];
