/** A small service in three versions: books with a cover, a sealed lock code and a reminder; later ones reshape the tables. */
import { Type } from "@sinclair/typebox";
import type { Kysely } from "kysely";
import { createTable } from "../../src/kernel/db/index.ts";
import {
  answer,
  defineErrors,
  defineService,
  jobsFor,
  type Migration,
  media,
  noBody,
  operationsFor,
  type Service,
} from "../../src/kernel/operation/index.ts";
import { bearer, plain } from "../../src/kernel/protocols/index.ts";

export type ShelfVersion = 1 | 2 | 3;
/** How often each migration was begun in this process, on databases that are there to stay or in scratch ones. */
export const begun: Record<string, number> = {};

type Tables = Record<string, Record<string, any>>;
const errors = defineErrors({ noSuchBook: ["NoSuchBook", 404], bookExists: ["BookExists", 409] });
const operation = operationsFor<Tables>();
const Id = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) });
/** The table was renamed in version 3, its column in version 2. */
const tableOf = (version: ShelfVersion) => (version < 3 ? "shelf_book" : "shelf_volume");
const titleOf = (version: ShelfVersion) => (version < 2 ? "title" : "name");
const slugOf = (name: string) => name.toLowerCase().replace(/[^a-z0-9]+/g, "-");

const counted = (name: string, up: Migration["up"]): Migration => ({
  async up(db, tools) {
    begun[name] = (begun[name] ?? 0) + 1;
    await up(db, tools);
  },
});
const migrations: Record<string, Migration> = {
  "001-books": counted("001-books", (db) =>
    createTable(
      db,
      "shelf_book",
      { account: "text", id: "text", title: "text", cover: "text?", lock: "text?", pages: "integer" },
      ["account", "id"],
    ),
  ),
  "002-names-and-slugs": counted("002-names-and-slugs", async (db) => {
    // Long enough for two nodes that start together to meet here.
    await new Promise((resolve) => setTimeout(resolve, 150));
    await db.schema.alterTable("shelf_book").renameColumn("title", "name").execute();
    await db.schema
      .alterTable("shelf_book")
      .addColumn("slug", "text", (column) => column.notNull().defaultTo(""))
      .execute();
    for (const { account, id, name } of await db.selectFrom("shelf_book").selectAll().execute()) {
      if (name === "") throw new Error(`the book ${id} has no name`);
      await db
        .updateTable("shelf_book")
        .set({ slug: slugOf(name) })
        .where("account", "=", account)
        .where("id", "=", id)
        .execute();
    }
  }),
  "003-authors": counted("003-authors", async (db) => {
    await db.schema.alterTable("shelf_book").renameTo("shelf_volume").execute();
    await createTable(db, "shelf_author", { account: "text", name: "text", books: "integer" }, [
      "account",
      "name",
    ]);
    const books = await db.selectFrom("shelf_volume").select(["account", "name"]).execute();
    for (const { account, name } of books) await countBook(db, account, name);
  }),
};
async function countBook(db: Kysely<any>, account: string, title: string): Promise<void> {
  await db
    .insertInto("shelf_author")
    .values({ account, name: title.split(":")[0], books: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(["account", "name"])
        .doUpdateSet((e: any) => ({ books: e("shelf_author.books", "+", 1) })),
    )
    .execute();
}

const remind = jobsFor<Tables>()({
  name: "shelf.remind",
  payload: Type.Object({ id: Type.String() }),
  async run({ id }, { outbox }) {
    await outbox.send({ kind: "mail", target: "reader@example.org", body: { id } });
  },
});

function bookOperations(version: ShelfVersion) {
  const find = async (db: Kysely<Tables>, account: string, id: string) => {
    const query = db.selectFrom(tableOf(version)).selectAll();
    const book = await query.where("account", "=", account).where("id", "=", id).executeTakeFirst();
    if (!book) throw errors.noSuchBook(`There is no book ${id}.`);
    return book;
  };
  const set = (db: Kysely<Tables>, account: string, id: string, change: object) =>
    db
      .updateTable(tableOf(version))
      .set(change)
      .where("account", "=", account)
      .where("id", "=", id)
      .execute();
  const common = { errors: [errors.noSuchBook, errors.bookExists], params: Id };
  return [
    operation({
      ...common,
      id: "shelf.books.put",
      summary: "Put a book on the shelf",
      method: "PUT",
      path: "/books/{id}",
      permission: "shelf:PutBook",
      body: Type.Object({ title: Type.String(), pages: Type.Integer(), lock: Type.Optional(Type.String()) }),
      answers: { 201: noBody },
      async handle({ params, body }, { db, account, secrets }) {
        const lock = body.lock === undefined ? null : JSON.stringify({ code: secrets.seal(body.lock) });
        await db
          .insertInto(tableOf(version))
          .values({
            account,
            id: params.id,
            [titleOf(version)]: body.title,
            pages: body.pages,
            lock,
            ...(version > 1 && { slug: slugOf(body.title) }),
          })
          .execute();
        if (version > 2) await countBook(db, account, body.title);
        return answer(201, undefined);
      },
    }),
    operation({
      ...common,
      id: "shelf.books.get",
      summary: "Look at a book",
      method: "GET",
      path: "/books/{id}",
      permission: "shelf:GetBook",
      answers: { 200: Type.Record(Type.String(), Type.Unknown()) },
      async handle({ params }, { db, account, secrets }) {
        const { account: _account, cover: _cover, lock, ...shown } = await find(db, account, params.id);
        return { ...shown, ...(lock !== null && { code: secrets.open(JSON.parse(lock).code) }) };
      },
    }),
    operation({
      ...common,
      id: "shelf.covers.put",
      summary: "Give it a cover",
      method: "PUT",
      path: "/books/{id}/cover",
      permission: "shelf:PutCover",
      bodyKinds: ["binary"],
      bodyBytesMax: 8 * 1024 * 1024,
      body: Type.Uint8Array(),
      answers: { 204: noBody },
      async handle({ params, body }, { db, account, blobs }) {
        await set(db, account, params.id, { cover: (await blobs.put(body, "image/png")).id });
      },
    }),
    operation({
      ...common,
      id: "shelf.covers.get",
      summary: "Look at its cover",
      method: "GET",
      path: "/books/{id}/cover",
      permission: "shelf:GetCover",
      answers: { 200: media("image/png") },
      async handle({ params }, { db, account, blobs }) {
        const bytes = await blobs.read((await find(db, account, params.id)).cover ?? "");
        if (!bytes) throw errors.noSuchBook(`The book ${params.id} has no cover.`);
        return bytes;
      },
    }),
    operation({
      ...common,
      id: "shelf.books.remind",
      summary: "Remind the reader in an hour",
      method: "POST",
      path: "/books/{id}:remind",
      permission: "shelf:Remind",
      answers: { 202: noBody },
      async handle({ params }, context) {
        await context.enqueue(remind, { id: params.id }, { runAtMs: context.clock.nowMs() + 3_600_000 });
        return answer(202, undefined);
      },
    }),
  ];
}
const authorOperation = operation({
  id: "shelf.authors.list",
  summary: "Who wrote them",
  method: "GET",
  path: "/authors",
  permission: "shelf:ListAuthors",
  answers: { 200: Type.Object({ authors: Type.Array(Type.Record(Type.String(), Type.Unknown())) }) },
  async handle(_input, { db, account }) {
    const query = db.selectFrom("shelf_author").select(["name", "books"]);
    return { authors: await query.where("account", "=", account).orderBy("name").execute() };
  },
});

export const shelfService = (version: ShelfVersion, more: Record<string, Migration> = {}): Service =>
  defineService({
    name: "shelf",
    title: "Shelf",
    summary: "Books, for trying upgrades.",
    mount: "/shelf",
    protocol: plain({ scheme: bearer }),
    operations: [...bookOperations(version), ...(version > 2 ? [authorOperation] : [])],
    jobs: [remind],
    tables: [tableOf(version), ...(version > 2 ? ["shelf_author"] : [])],
    migrations: { ...Object.fromEntries(Object.entries(migrations).slice(0, version)), ...more },
  });
