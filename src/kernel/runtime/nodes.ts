/** The nodes of one database, and which changes of the clock each has seen, so that one can wait for the others. */
import { putSetting } from "../auth/accounts-store.ts";
import type { Database } from "../db/database.ts";

const PREFIX = "node:";
type Sign = { readonly seen: number; readonly untilMs: number };

export class Nodes {
  readonly #database: Database;
  readonly #own: string;
  readonly #leaseMs: number;
  #last: Sign = { seen: 0, untilMs: 0 };

  /** A node without a sign of life for one lease counts as dead, as for jobs. */
  constructor(database: Database, own: string, leaseMs: number) {
    this.#database = database;
    this.#own = own;
    this.#leaseMs = leaseMs;
  }
  /** Tells the others, if there is something new or the last sign of life is getting old. */
  async announce(seen: number): Promise<void> {
    const nowMs = Date.now();
    if (seen === this.#last.seen && this.#last.untilMs - nowMs > this.#leaseMs / 2) return;
    const sign: Sign = { seen, untilMs: nowMs + this.#leaseMs };
    await this.#database.transact((db) => putSetting(db, `${PREFIX}${this.#own}`, JSON.stringify(sign)));
    this.#last = sign;
  }
  /** The live nodes that have not seen this version. Removes entries of dead nodes. */
  findBehind(seen: number): Promise<string[]> {
    return this.#database.transact(async (db) => {
      const rows = await db
        .selectFrom("medley_setting")
        .select(["name", "value"])
        .where("name", "like", `${PREFIX}%`)
        .where("name", "!=", `${PREFIX}${this.#own}`)
        .execute();
      const behind: string[] = [];
      for (const { name, value } of rows) {
        const sign: Sign = JSON.parse(value);
        if (sign.untilMs < Date.now())
          await db.deleteFrom("medley_setting").where("name", "=", name).execute();
        else if (sign.seen < seen) behind.push(name.slice(PREFIX.length));
      }
      return behind;
    });
  }
  async leave(): Promise<void> {
    if (this.#last.untilMs === 0) return;
    await this.#database.transact((db) =>
      db.deleteFrom("medley_setting").where("name", "=", `${PREFIX}${this.#own}`).execute(),
    );
  }
}
