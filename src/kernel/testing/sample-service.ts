/** A small service of every kind of behaviour: what the kernel's own tests and the benchmark run on. */
import { Type } from "@sinclair/typebox";
import type { Kysely } from "kysely";
import { queriesOf } from "../db/compiled-query.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { answer, media, noBody } from "../operation/answers.ts";
import { streamedBody } from "../operation/bodies.ts";
import { defineErrors, kernelErrors } from "../operation/errors.ts";
import { jobsFor } from "../operation/job.ts";
import { anyone, operationsFor } from "../operation/operation.ts";
import { defineService, type Service } from "../operation/service.ts";
import type { Protocol } from "../protocols/protocol.ts";

type Tables = { [table: string]: { account: string; id: string; text: string; count: number } };
const { compiledInsert, compiledQuery } = queriesOf<Kysely<Tables>>();
type Note = Tables[string];

export const sampleErrors = defineErrors({
  noSuchNote: ["NoteNotFound", 404],
  noteExists: ["NoteExists", 409],
});
const NoteId = Type.String({ minLength: 1, maxLength: 512 });
const NoteShape = Type.Object({ id: NoteId, text: Type.String(), count: Type.Integer() });
const NewNote = Type.Object({
  text: Type.String({ maxLength: 100_000 }),
  count: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000, default: 0 })),
});
const operation = operationsFor<Tables>();
const STREAM_BYTES_MAX = 8 * 1024 * 1024;

export type SampleOptions = {
  readonly name: string;
  readonly mount: string;
  readonly protocol: Protocol;
  readonly rootPaths?: readonly string[];
  readonly dialects?: readonly Dialect[];
};

function noteStore(table: string) {
  const selectNote = compiledQuery<Note, [string, string]>(["", ""], (db, account, id) =>
    db.selectFrom(table).selectAll().where("account", "=", account).where("id", "=", id),
  );
  return {
    find: async (db: Kysely<Tables>, account: string, id: string) => (await selectNote(db, account, id))[0],
    insert: compiledInsert<Note>(table, ["account", "id", "text", "count"]),
    count: (db: Kysely<Tables>, account: string, id: string) =>
      db
        .updateTable(table)
        .set((expression) => ({ count: expression("count", "+", 1) }))
        .where("account", "=", account)
        .where("id", "=", id)
        .execute(),
    page: (db: Kysely<Tables>, account: string, after: string, limit: number) =>
      db
        .selectFrom(table)
        .selectAll()
        .where("account", "=", account)
        .where("id", ">", after)
        .orderBy("id")
        .limit(limit)
        .execute(),
    remove: (db: Kysely<Tables>, account: string, id: string) =>
      db.deleteFrom(table).where("account", "=", account).where("id", "=", id).executeTakeFirst(),
  };
}
type Store = ReturnType<typeof noteStore>;
const shown = ({ id, text, count }: Note) => ({ id, text, count: Number(count) });

function readingOperations(name: string, notes: Store) {
  return [
    operation({
      id: `${name}.notes.get`,
      summary: "Read a note",
      method: "GET",
      path: "/notes/{id}",
      permission: `${name}:GetNote`,
      params: Type.Object({ id: NoteId }),
      answers: { 200: NoteShape },
      errors: [sampleErrors.noSuchNote],
      async handle({ params }, { db, account }) {
        const note = await notes.find(db, account, params.id);
        if (!note) throw sampleErrors.noSuchNote(`There is no note ${params.id}.`);
        return shown(note);
      },
    }),
    operation({
      id: `${name}.notes.list`,
      summary: "List notes",
      method: "GET",
      path: "/notes",
      permission: `${name}:ListNotes`,
      query: Type.Object({
        size: Type.Integer({ minimum: 1, maximum: 100, default: 10 }),
        next: Type.Optional(Type.String()),
      }),
      answers: { 200: Type.Object({ notes: Type.Array(NoteShape), next: Type.Optional(Type.String()) }) },
      async handle({ query: { size, next } }, { db, account, pages }) {
        const { rows, nextToken } = await pages.of(
          { size, token: next, filter: {} },
          (note: Note) => [note.id],
          (after, limit) => notes.page(db, account, after?.[0] ?? "", limit),
        );
        return { notes: rows.map(shown), ...(nextToken !== undefined && { next: nextToken }) };
      },
    }),
  ];
}

function writingOperations(name: string, notes: Store) {
  return [
    operation({
      id: `${name}.notes.put`,
      summary: "Write a new note",
      method: "PUT",
      path: "/notes/{id}",
      permission: `${name}:PutNote`,
      params: Type.Object({ id: NoteId }),
      body: NewNote,
      answers: { 201: NoteShape },
      errors: [sampleErrors.noteExists],
      resource: ({ params }) => `note/${params.id}`,
      async handle({ params, body }, { db, account }) {
        const note = { account, id: params.id, text: body.text, count: body.count ?? 0 };
        if (!(await notes.insert(db, note)))
          throw sampleErrors.noteExists(`The note ${params.id} exists.`, { target: "id" });
        return answer(201, shown(note));
      },
    }),
    operation({
      id: `${name}.notes.add`,
      summary: "Write a note under a new id",
      method: "POST",
      path: "/notes",
      permission: `${name}:AddNote`,
      bodyKinds: ["json", "form", "multipart"],
      body: NewNote,
      answers: { 201: NoteShape },
      async handle({ body }, { db, account, ids }) {
        const note = { account, id: ids.sortable(), text: body.text, count: body.count ?? 0 };
        await notes.insert(db, note);
        return answer(201, shown(note));
      },
    }),
    operation({
      id: `${name}.notes.delete`,
      summary: "Remove a note",
      method: "DELETE",
      path: "/notes/{id}",
      permission: `${name}:DeleteNote`,
      params: Type.Object({ id: NoteId }),
      answers: { 204: noBody },
      errors: [sampleErrors.noSuchNote],
      async handle({ params }, { db, account }) {
        const result = await notes.remove(db, account, params.id);
        if (result.numDeletedRows === 0n) throw sampleErrors.noSuchNote(`There is no note ${params.id}.`);
      },
    }),
  ];
}

function workOperations(name: string, notes: Store) {
  const countJob = jobsFor<Tables>()({
    name: `${name}.count`,
    payload: Type.Object({ id: Type.String(), failures: Type.Integer() }),
    async run({ id, failures }, { db, account, outbox }, { attempt }) {
      await notes.count(db, account, id);
      if (attempt <= failures) throw new Error("failing as asked");
      await outbox.send({ kind: "log", target: name, body: { id } });
    },
  });
  const slowJob = jobsFor<Tables>()({
    name: `${name}.slow`,
    payload: Type.Object({ id: Type.String(), waitMs: Type.Integer() }),
    transaction: "manual",
    async run({ id, waitMs }, context) {
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      await context.transact(({ db }) => notes.count(db, context.account, id).then(() => {}));
    },
  });
  const ticks = jobsFor<Tables>()({
    name: `${name}.tick`,
    payload: Type.Object({}),
    repeat: { everySeconds: 86_400 },
    async run() {},
  });
  const enqueue = operation({
    id: `${name}.notes.count`,
    summary: "Count a note up, later",
    method: "POST",
    path: "/notes/{id}:count",
    permission: `${name}:CountNote`,
    params: Type.Object({ id: NoteId }),
    body: Type.Object({
      delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 1e12 })),
      failures: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
      waitMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 60_000 })),
      webhook: Type.Optional(Type.String({ maxLength: 2000 })),
      fail: Type.Optional(Type.Boolean()),
    }),
    answers: { 202: Type.Object({ job: Type.String() }) },
    async handle({ params, body }, context) {
      const runAtMs = context.clock.nowMs() + (body.delayMs ?? 0);
      const job =
        body.waitMs === undefined
          ? await context.enqueue(countJob, { id: params.id, failures: body.failures ?? 0 }, { runAtMs })
          : await context.enqueue(slowJob, { id: params.id, waitMs: body.waitMs }, { runAtMs });
      if (body.webhook !== undefined)
        await context.outbox.send({
          kind: "webhook",
          target: body.webhook,
          body: { id: params.id },
          deliver: { secret: "sample" },
        });
      if (body.fail) throw kernelErrors.conflict("Everything of this request is undone.");
      return answer(202, { job });
    },
  });
  return { jobs: [countJob, slowJob, ticks], operations: [enqueue] };
}

function oddOperations(name: string) {
  return [
    operation({
      id: `${name}.open`,
      summary: "Needs no credential",
      method: "GET",
      path: "/open",
      permission: anyone,
      answers: { 200: Type.Object({ mountUrl: Type.String() }) },
      handle: (_input, { request }) => ({ mountUrl: request.mountUrl }),
    }),
    operation({
      id: `${name}.arn`,
      summary: "A name with slashes in one segment",
      method: "GET",
      path: "/arns/{arn}/tags/",
      permission: `${name}:Tags`,
      params: Type.Object({ arn: Type.String() }),
      answers: { 200: Type.Object({ arn: Type.String() }) },
      handle: ({ params }) => ({ arn: params.arn }),
    }),
    operation({
      id: `${name}.upload`,
      summary: "Bytes in, bytes out",
      method: "POST",
      path: "/bytes",
      permission: `${name}:Bytes`,
      bodyKinds: ["binary"],
      bodyBytesMax: 64 * 1024,
      body: Type.Uint8Array(),
      answers: { 200: media("application/octet-stream") },
      handle: ({ body }) => body,
    }),
    operation({
      id: `${name}.stream`,
      summary: "Very many bytes in",
      method: "POST",
      path: "/stream",
      permission: `${name}:Stream`,
      transaction: "manual",
      bodyKinds: ["stream"],
      bodyBytesMax: STREAM_BYTES_MAX,
      body: streamedBody,
      answers: { 200: Type.Object({ size: Type.Integer(), sha256: Type.String(), lines: Type.Integer() }) },
      async handle({ body }) {
        let lines = 0;
        for await (const chunk of body.chunks()) for (const byte of chunk) if (byte === 10) lines += 1;
        return { size: body.size, sha256: body.sha256, lines };
      },
    }),
    operation({
      id: `${name}.crash`,
      summary: "Our own mistake",
      method: "POST",
      path: "/crash",
      permission: `${name}:Crash`,
      answers: { 200: noBody },
      handle: () => {
        throw new Error("a bug");
      },
    }),
    operation({
      id: `${name}.slow`,
      summary: "Takes too long",
      method: "GET",
      path: "/slow",
      permission: `${name}:Slow`,
      timeoutSeconds: 1,
      query: Type.Object({ ms: Type.Integer({ minimum: 0, maximum: 10_000, default: 0 }) }),
      answers: { 200: noBody },
      handle: async ({ query }) => {
        await new Promise((resolve) => setTimeout(resolve, query.ms));
      },
    }),
  ];
}

export function sampleService({ name, mount, protocol, rootPaths, dialects }: SampleOptions): Service {
  const table = `${name.replaceAll("-", "_")}_note`;
  const notes = noteStore(table);
  const work = workOperations(name, notes);
  return defineService({
    name,
    title: `Sample ${name}`,
    summary: "Notes, for trying the kernel.",
    mount,
    protocol,
    ...(rootPaths && { rootPaths }),
    ...(dialects && { dialects }),
    operations: [
      ...readingOperations(name, notes),
      ...writingOperations(name, notes),
      ...work.operations,
      ...oddOperations(name),
    ],
    jobs: work.jobs,
    tables: [table],
    migrations: {
      "001-notes": {
        async up(db) {
          await db.schema
            .createTable(table)
            .addColumn("account", "text", (column) => column.notNull())
            .addColumn("id", "text", (column) => column.notNull())
            .addColumn("text", "text", (column) => column.notNull())
            .addColumn("count", "integer", (column) => column.notNull())
            .addPrimaryKeyConstraint(`${table}_pk`, ["account", "id"])
            .execute();
        },
      },
    },
  });
}
