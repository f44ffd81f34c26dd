/**
 * Connections of PostgreSQL: kept when a change is refused, replaced when they are lost, with a clear error if
 * there is none.
 */
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, prepareDatabase } from "../../../tests/support/medley.ts";
import { type OwnPostgres, startPostgres } from "../../../tests/support/own-postgres.ts";
import { TcpProxy } from "../../../tests/support/tcp-proxy.ts";
import { kernelErrors } from "../operation/errors.ts";
import { type AnyDb, type Database, isDatabaseAway } from "./database.ts";
import { migrate } from "./migrate.ts";
import { openPostgres } from "./postgres.ts";

/** After so many attempts a transaction runs alone. */
const ATTEMPTS_AMONG_OTHERS = 6;
const processOf = async (db: AnyDb): Promise<number> => {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  return rows[0]?.pid ?? 0;
};

describe("connections", () => {
  let database: Database;
  beforeAll(async () => {
    database = openPostgres({ url: await prepareDatabase(await createDatabase()), connectionsMax: 1 });
  });
  afterAll(() => database.close());

  it("are kept when a change is refused", async () => {
    const before = await processOf(database.read);
    const refused = database.transact(async () => {
      throw kernelErrors.conflict("Not this time.");
    });
    await expect(refused).rejects.toMatchObject({ kind: { kernel: "conflict" } });
    const broken = database.transact((db) => sql`select 1 from nowhere`.execute(db));
    await expect(broken).rejects.toMatchObject({ code: "42P01" });
    expect(await processOf(database.read)).toBe(before);
  });
  it("are replaced when they are lost, and the change that met it is made on another", async () => {
    const before = await processOf(database.read);
    let attempts = 0;
    const changed = database.transact(async (db) => {
      attempts += 1;
      if (attempts === 1) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(db);
      return "changed";
    });
    expect(await changed).toBe("changed");
    expect(attempts).toBe(2);
    const after = await processOf(database.read);
    expect(after).toBeGreaterThan(0);
    expect(after).not.toBe(before);
  });
  it("are given up where every attempt loses one", async () => {
    const lost = database.transact((db) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(db));
    await expect(lost).rejects.toSatisfy(isDatabaseAway);
    expect(await processOf(database.read)).toBeGreaterThan(0);
  });
  it("are kept while the server is at work, however long it says nothing", async () => {
    const slow = database.transact((db) => sql`select pg_sleep(6)`.execute(db));
    await expect(slow).resolves.toBeDefined();
  });
  it("never let a change count as made of which a statement had failed", async () => {
    const half = database.transact(async (db) => {
      await sql`select 1 from nowhere`.execute(db).catch(() => {});
    });
    await expect(half).rejects.toThrow("one of its statements had failed");
  });
});

describe("statements of one change", () => {
  let database: Database;
  beforeAll(async () => {
    database = openPostgres({ url: await prepareDatabase(await createDatabase()), connectionsMax: 2 });
    await database.migrateExclusively(async (db) => {
      await sql`create table written (number serial, word text unique)`.execute(db);
    });
  });
  afterAll(() => database.close());
  const write = (db: AnyDb, word: string) => sql`insert into written (word) values (${word})`.execute(db);
  const words = async (db: AnyDb) => {
    const { rows } = await sql<{ word: string }>`select word from written order by number`.execute(db);
    return rows.map(({ word }) => word);
  };

  it("are answered in the order in which they were asked, whether or not one was waited for", async () => {
    const seen = await database.transact((db) =>
      Promise.all([words(db), write(db, "one"), words(db), write(db, "two"), words(db)]),
    );
    expect([seen[0], seen[2], seen[4]]).toEqual([[], ["one"], ["one", "two"]]);
    expect(await words(database.read)).toEqual(["one", "two"]);
  });
  it("are taken back together, and the first that fails says why", async () => {
    const refused = database.transact((db) =>
      Promise.all([
        write(db, "three"),
        // The failing statement reports last.
        write(db, "one").catch((error) => new Promise((_, reject) => setTimeout(reject, 20, error))),
        write(db, "four"),
        words(db),
      ]),
    );
    await expect(refused).rejects.toMatchObject({ code: "23505" });
    const first = database.transact((db) => write(db, "two"));
    await expect(first).rejects.toMatchObject({ code: "23505" });
    expect(await words(database.read)).toEqual(["one", "two"]);
  });
  it("come to nothing that are asked when their change has failed already", async () => {
    const late = async (db: AnyDb) => {
      await words(db);
      await write(db, "late");
    };
    let straggler: Promise<void> | undefined;
    const refused = database.transact((db) => {
      straggler = late(db);
      straggler.catch(() => {});
      throw kernelErrors.conflict("Not this time.");
    });
    await expect(refused).rejects.toMatchObject({ kind: { kernel: "conflict" } });
    await expect(straggler).rejects.toThrow("after its transaction had ended");
    expect(await words(database.read)).toEqual(["one", "two"]);
  });
  it("are none where nothing is asked", async () => {
    expect(await database.transact(async () => "nothing")).toBe("nothing");
    await expect(
      database.transact(async () => {
        throw kernelErrors.conflict("Not this time.");
      }),
    ).rejects.toMatchObject({ kind: { kernel: "conflict" } });
    expect(await words(database.read)).toEqual(["one", "two"]);
  });
});

it("tells that the database is away", async () => {
  const nowhere = openPostgres({ url: "postgres://medley@127.0.0.1:1/none", connectionsMax: 1 });
  await expect(processOf(nowhere.read)).rejects.toSatisfy(isDatabaseAway);
  await expect(nowhere.transact(processOf)).rejects.toSatisfy(isDatabaseAway);
  await nowhere.close();
});

it("brings every change through, however many meet on two nodes", async () => {
  const url = await createDatabase();
  const nodes = [1, 2].map(() => openPostgres({ url, connectionsMax: 10 }));
  const [one] = nodes as [Database];
  const up = (db: AnyDb) => sql`create table met (place integer not null)`.execute(db).then(() => {});
  await migrate(one, [{ owner: "test", migrations: { "001-met": { up } } }], 0);
  /** Reads what all others write, and takes long enough to conflict with them. */
  const change = (db: AnyDb) =>
    sql`insert into met select count(*) from met, pg_sleep(0.1)`.execute(db).then(() => {});
  const changes = nodes.flatMap((node) => Array.from({ length: 20 }, () => node.transact(change)));
  const refused = (await Promise.allSettled(changes)).filter(({ status }) => status === "rejected");
  expect(refused).toEqual([]);
  const { rows } = await sql<{ place: number }>`select place from met order by place`.execute(one.read);
  expect(rows.map(({ place }) => place)).toEqual(Array.from({ length: 40 }, (_, place) => place));
  await Promise.all(nodes.map((node) => node.close()));
});

it.each(["the same node", "another node"])(
  "brings a long change through while short ones that meet it follow each other on %s",
  async (where) => {
    const url = await prepareDatabase(await createDatabase());
    const database = openPostgres({ url, connectionsMax: 4 });
    const other = openPostgres({ url, connectionsMax: 4 });
    const followers = where === "the same node" ? database : other;
    let isOver = false;
    try {
      await database.migrateExclusively(async (db) => {
        await sql`create table long (number integer)`.execute(db);
        await sql`create table short (number integer)`.execute(db);
        await sql`insert into long values (0)`.execute(db);
        await sql`insert into short values (0)`.execute(db);
      });
      /** Each reads what the long transaction writes, writes what it reads, and runs while it is open. */
      const follow = async () => {
        while (!isOver)
          await followers.transact(async (db) => {
            await sql`select number from long`.execute(db);
            await sql`update short set number = number + 1`.execute(db);
          });
      };
      const short = follow();
      const long = database.transact(async (db) => {
        await sql`select number from short`.execute(db);
        await sql`select pg_sleep(0.05)`.execute(db);
        await sql`update long set number = number + 1`.execute(db);
      });
      await expect(long).resolves.toBeUndefined();
      isOver = true;
      await short;
    } finally {
      isOver = true;
      await Promise.all([database.close(), other.close()]);
    }
  },
);

it("ends a change that is alone on a node which is cut off, before others are refused", async () => {
  const url = await prepareDatabase(await createDatabase());
  const proxy = await TcpProxy.start(Number(new URL(url).port));
  const cutOff = openPostgres({ url: proxy.through(url), connectionsMax: 1 });
  const other = openPostgres({ url, connectionsMax: 1 });
  try {
    let attempts = 0;
    const isAlone = new Promise<void>((resolve) => {
      const alone = cutOff.transact(async (db) => {
        attempts += 1;
        if (attempts <= ATTEMPTS_AMONG_OTHERS) throw Object.assign(new Error("met"), { code: "40001" });
        await processOf(db);
        proxy.swallow();
        resolve();
        await processOf(db);
      });
      alone.catch(() => {});
    });
    await isAlone;
    const changed = await Promise.all([1, 2, 3].map(() => other.transact(processOf)));
    expect(new Set(changed).size).toBe(1);
  } finally {
    proxy.heal();
    await Promise.all([cutOff.close(), other.close()]);
    await proxy.stop();
  }
});

describe("a server that can remember little of what changes have read", () => {
  const TABLES = 100;
  const CHANGES = 300;
  /** More than the server can tell apart beside a long transaction. */
  const ROUNDS_MAX = 1000;
  let server: OwnPostgres;
  let database: Database;
  beforeAll(async () => {
    server = await startPostgres(["max_connections=20", "max_pred_locks_per_transaction=10"]);
    database = openPostgres({ url: await prepareDatabase(`${server.url}/postgres`), connectionsMax: 4 });
    await database.migrateExclusively(async (db) => {
      await sql`create table made (number integer)`.execute(db);
      for (let table = 0; table < TABLES; table += 1)
        await sql`create table ${sql.ref(`read_${table}`)} (number integer)`.execute(db);
    });
  });
  afterAll(async () => {
    await database.close();
    await server.stop();
  });

  it("has room again when a long change has ended: those that found none wait for it", async () => {
    const readAll = sql.join(
      Array.from({ length: TABLES }, (_, table) => sql`select number from ${sql.ref(`read_${table}`)}`),
      sql` union all `,
    );
    let changes = 0;
    let attempts = 0;
    const long = database.transact(async (db) => {
      await readAll.execute(db);
      while (attempts <= changes) await sql`select pg_sleep(0.01)`.execute(db);
    });
    while (changes < CHANGES) {
      changes += 1;
      await database.transact(async (db) => {
        attempts += 1;
        await readAll.execute(db);
        await sql`insert into made values (${changes})`.execute(db);
      });
    }
    await long;
    const { rows } = await sql<{ made: number }>`select count(*) as made from made`.execute(database.read);
    expect(rows).toEqual([{ made: CHANGES }]);
  });

  it("may be mistaken about who met whom while a long change runs elsewhere on it: then a change is made while there is no other", async () => {
    await sql`create database elsewhere`.execute(database.read);
    const url = await prepareDatabase(`${server.url}/elsewhere`);
    const elsewhere = openPostgres({ url, connectionsMax: 1 });
    let isOver = false;
    const long = elsewhere.transact(async (db) => {
      await sql`update medley_migration set applied_at = 1`.execute(db);
      while (!isOver) await sql`select pg_sleep(0.01)`.execute(db);
    });
    let attemptsMost = 0;
    const change = (statements: readonly string[]) => {
      let attempts = 0;
      return database.transact(async (db) => {
        attempts += 1;
        attemptsMost = Math.max(attempts, attemptsMost);
        for (const statement of statements) await sql.raw(statement).execute(db);
      });
    };
    const increase = (table: string) => `update ${table} set number = number + 1`;
    try {
      for (const table of ["read_0", "read_1"])
        await sql`insert into ${sql.ref(table)} values (0)`.execute(database.read);
      let rounds = 0;
      for (; attemptsMost <= ATTEMPTS_AMONG_OTHERS && rounds < ROUNDS_MAX; rounds += 1)
        await Promise.all([
          change(["select number from read_0", increase("read_1")]),
          change([increase("read_0")]),
        ]);
      expect(attemptsMost).toBeGreaterThan(ATTEMPTS_AMONG_OTHERS);
      const both = sql`select read_0.number as a, read_1.number as b from read_0, read_1`;
      expect((await both.execute(database.read)).rows).toEqual([{ a: rounds, b: rounds }]);
    } finally {
      isOver = true;
      await long;
      await elsewhere.close();
    }
  });
});
