/** A small value that all nodes on one database agree on: kept for the next start, picked up by the others. */
import { findSetting, putSetting } from "../auth/accounts-store.ts";
import type { Database } from "../db/database.ts";

type Versioned<T> = { readonly version: number; readonly value: T };

export class SharedSetting<T> {
  readonly #database: Database;
  readonly #name: string;
  readonly #adopt: (value: T) => void;
  #version = 0;

  /** `adopt` is called with each newer value that another node, or an earlier run, has saved. */
  constructor(database: Database, name: string, adopt: (value: T) => void) {
    this.#database = database;
    this.#name = name;
    this.#adopt = adopt;
  }
  async refresh(): Promise<void> {
    const text = await findSetting(this.#database.read, this.#name);
    if (text === undefined) return;
    const { version, value }: Versioned<T> = JSON.parse(text);
    // What was read may be older than what this node has saved meanwhile.
    if (version <= this.#version) return;
    this.#version = version;
    this.#adopt(value);
  }
  async save(value: T): Promise<void> {
    this.#version = await this.#database.transact(async (db) => {
      const text = await findSetting(db, this.#name);
      const before = text === undefined ? 0 : (JSON.parse(text) as Versioned<T>).version;
      const next: Versioned<T> = { version: Math.max(before, this.#version) + 1, value };
      await putSetting(db, this.#name, JSON.stringify(next));
      return next.version;
    });
  }
}
