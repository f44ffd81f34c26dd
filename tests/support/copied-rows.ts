/** Fills a table of a running instance on SQLite. Requests would take minutes and say nothing more. */
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";

type Copying = {
  readonly table: string;
  readonly count: number;
  /** Column to SQL; `n` is the number of the copy. */
  readonly changed: Readonly<Record<string, string>>;
  /** Which row is copied. */
  readonly where?: string;
};

/** In a transaction of its own, beside the server. */
export function changeRows<T>(data: string, work: (database: InstanceType<typeof DatabaseSync>) => T): T {
  const database = new DatabaseSync(join(data, "medley.db"));
  try {
    database.exec("pragma busy_timeout = 5000");
    return work(database);
  } finally {
    database.close();
  }
}

/** Copies one row so many times. */
export function copyRow(data: string, { table, count, changed, where = "true" }: Copying): void {
  changeRows(data, (database) => {
    const names = database
      .prepare(`select * from ${table} limit 0`)
      .columns()
      .map(({ name }) => name);
    const values = names.map((name) => changed[name] ?? `copied.${name}`);
    database.exec(`with recursive number (n) as (select 1 union all select n + 1 from number where n < ${count})
      insert into ${table} (${names}) select ${values}
      from (select * from ${table} where ${where} limit 1) copied, number where ${count} > 0`);
  });
}
