/** Durable work and the outbox. */
import { Type } from "@sinclair/typebox";
import { isoOf } from "#kernel/clock";
import { answer, defineErrors, media, operationsFor } from "#kernel/operation";
import type { KernelTables } from "#kernel/runtime";
import { adminPermission } from "../protocol.ts";
import * as store from "../store.ts";

const operation = operationsFor<KernelTables>();
const errors = defineErrors({ noSuchMessage: ["NoSuchMessage", 404] });
const Filter = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100 }),
  nextToken: Type.Optional(Type.String()),
  state: Type.Optional(Type.String()),
  service: Type.Optional(Type.String()),
  account: Type.Optional(Type.String()),
  kind: Type.Optional(Type.String()),
});
const Row = Type.Record(Type.String(), Type.Unknown());
const timeOf = (ms: number | null): string | null => (ms === null ? null : isoOf(ms));

type JobRow = Awaited<ReturnType<typeof store.listJobs>>[number];
const showJob = (row: JobRow) => ({
  id: row.id,
  job: row.name,
  service: row.service,
  account: row.account,
  state: row.state,
  runAt: timeOf(row.run_at),
  attempts: row.attempts,
  error: row.error,
  payload: JSON.parse(row.payload),
  createdAt: timeOf(row.created_at),
  finishedAt: timeOf(row.finished_at),
});
type OutboxRow = NonNullable<Awaited<ReturnType<typeof store.findMessage>>>;
const showMessage = (row: OutboxRow) => ({
  id: row.id,
  kind: row.kind,
  service: row.service,
  account: row.account,
  target: row.target,
  subject: row.subject,
  headers: JSON.parse(row.headers),
  body: bodyOf(row.body),
  content: row.blob_id === null ? null : `/_medley/outbox/${row.id}/content`,
  state: row.state,
  attempts: row.attempts,
  answerStatus: row.answer_status,
  error: row.error,
  createdAt: timeOf(row.created_at),
  deliveredAt: timeOf(row.delivered_at),
});
function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export const workOperations = [
  operation({
    id: "medley.jobs.list",
    summary: "Durable work and its state, newest first",
    method: "GET",
    path: "/jobs",
    permission: adminPermission,
    query: Filter,
    answers: { 200: Type.Object({ jobs: Type.Array(Row), nextToken: Type.Optional(Type.String()) }) },
    async handle({ query: { limit: size, nextToken: token, ...filter } }, { db, pages }) {
      const { rows, ...next } = await pages.of(
        { size, token, filter },
        (row: JobRow) => [row.id],
        (before, limit) => store.listJobs(db, { ...filter, before: before?.[0], limit }),
      );
      return { jobs: rows.map(showJob), ...next };
    },
  }),
  operation({
    id: "medley.outbox.list",
    summary: "Everything that would leave the machine and how its delivery went, newest first",
    method: "GET",
    path: "/outbox",
    permission: adminPermission,
    query: Filter,
    answers: { 200: Type.Object({ messages: Type.Array(Row), nextToken: Type.Optional(Type.String()) }) },
    async handle({ query: { limit: size, nextToken: token, ...filter } }, { db, pages }) {
      const { rows, ...next } = await pages.of(
        { size, token, filter },
        (row: OutboxRow) => [row.id],
        (before, limit) => store.listMessages(db, { ...filter, before: before?.[0], limit }),
      );
      return { messages: rows.map(showMessage), ...next };
    },
  }),
  operation({
    id: "medley.outbox.get",
    summary: "One outgoing message",
    method: "GET",
    path: "/outbox/{id}",
    permission: adminPermission,
    params: Type.Object({ id: Type.String() }),
    answers: { 200: Row },
    errors: [errors.noSuchMessage],
    async handle({ params }, { db }) {
      const row = await store.findMessage(db, params.id);
      if (!row) throw errors.noSuchMessage(`There is no message ${params.id}.`);
      return showMessage(row);
    },
  }),
  operation({
    id: "medley.outbox.content",
    summary: "The bytes that belong to a message, such as the audio of a call",
    method: "GET",
    path: "/outbox/{id}/content",
    permission: adminPermission,
    params: Type.Object({ id: Type.String() }),
    answers: { 200: media("application/octet-stream") },
    errors: [errors.noSuchMessage],
    async handle({ params }, { db }) {
      const content = await store.findMessageContent(db, params.id);
      if (!content) throw errors.noSuchMessage(`There is no content for ${params.id}.`);
      return answer(200, content.bytes, { "content-type": content.type });
    },
  }),
];
