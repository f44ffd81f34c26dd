/** A small value shared by all nodes of one database: stored for the next start, polled by the others. */
import { findSetting, putSetting } from "../auth/accounts-store.ts";
import type { AnyDb, Database } from "../db/database.ts";

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
  /** The newest version that this node has seen or saved. */
  get version(): number {
    return this.#version;
  }
  async refresh(): Promise<void> {
    const kept = await this.#find(this.#database.read);
    // The value read may be older than what this node has saved meanwhile.
    if (!kept || kept.version <= this.#version) return;
    this.#version = kept.version;
    this.#adopt(kept.value);
  }
  save(value: T): Promise<void> {
    return this.change(() => value);
  }
  /** `next` gets the stored value, and may throw to keep it. */
  change(next: (kept: T | undefined) => T): Promise<void> {
    return this.#database.transact((db) => this.changeIn(db, next));
  }
  /** Joins a transaction. */
  async changeIn(db: AnyDb, next: (kept: T | undefined) => T): Promise<void> {
    const kept = await this.#find(db);
    const version = Math.max(kept?.version ?? 0, this.#version) + 1;
    const changed: Versioned<T> = { version, value: next(kept?.value) };
    await putSetting(db, this.#name, JSON.stringify(changed));
    this.#version = version;
  }
  async #find(db: AnyDb): Promise<Versioned<T> | undefined> {
    const text = await findSetting(db, this.#name);
    return text === undefined ? undefined : JSON.parse(text);
  }
}
