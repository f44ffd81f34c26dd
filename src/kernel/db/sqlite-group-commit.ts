/**
 * Group commit: queued transactions run one after another inside one outer transaction, each in its own savepoint.
 * One commit makes them all durable, and then all callers get their answers.
 */
import { type AnyDb, Room } from "./database.ts";
import type { HandleFactory } from "./single-connection.ts";
import type { Checkpoints } from "./sqlite-checkpoints.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import type { WrittenAhead } from "./sqlite-log.ts";

const GROUP_SIZE_MAX = 256;
/** A change of this size commits alone. A thread syncs the WAL before the caller gets the answer. */
const LONG_BYTES = 256 * 1024;
export const SYNC_AT_COMMIT = "PRAGMA synchronous = FULL";
const SYNC_LATER = "PRAGMA synchronous = NORMAL";

export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

type Waiting = {
  readonly isLong: boolean;
  /** Nobody waits for the disk. */
  readonly isSoon: boolean;
  work(db: AnyDb): unknown;
  resolve(value: unknown): void;
  reject(error: unknown): void;
};
type Done = { readonly waiting: Waiting; readonly value: unknown };

type GroupCommitOptions = {
  readonly writer: SqliteConnection;
  readonly handles: HandleFactory;
  readonly committed: () => void;
  /** Missing if there is no disk. */
  readonly log?: WrittenAhead;
};
export class GroupCommit {
  readonly #writer: SqliteConnection;
  readonly #handles: HandleFactory;
  #queue: Waiting[] = [];
  readonly #elsewhere: (() => Promise<void>)[] = [];
  readonly #committed: () => void;
  readonly #log: WrittenAhead | undefined;
  #running: Promise<void> | undefined;
  readonly room = new Room();

  constructor({ writer, handles, committed, log }: GroupCommitOptions) {
    this.#writer = writer;
    this.#handles = handles;
    this.#committed = committed;
    this.#log = log;
  }

  transact<T>(work: (db: AnyDb) => T | Promise<T>, bytes = 0, isSoon = false): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const isLong = this.#log !== undefined && bytes >= LONG_BYTES;
      this.#queue.push({ isLong, isSoon, work, resolve: resolve as (value: unknown) => void, reject });
      this.#running ??= this.#drain();
    });
  }
  /** Inside a transaction of `transact`. */
  run(script: string): void {
    this.#writer.exec(script);
  }
  /** `work` runs a transaction on another connection. Nothing changes here meanwhile. */
  transactElsewhere<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#elsewhere.push(() => this.#noted(work).then(resolve, reject));
      this.#running ??= this.#drain();
    });
  }
  /** Waits until no transaction is open; for readers on the writing connection. */
  async betweenTransactions<T>(use: () => Promise<T>): Promise<T> {
    while (this.#running) await this.#running;
    return use();
  }
  /** Removes all traces of deleted rows from the file and from the WAL. No checkpoint may run meanwhile. */
  async rewriteFile(checkpoints: Checkpoints): Promise<void> {
    do {
      await checkpoints.settle();
      await this.settle();
    } while (checkpoints.areRunning);
    this.#writer.exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
  }
  async settle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #drain(): Promise<void> {
    // Wait one event-loop turn, so that requests already received join the same commit.
    await nextTurn();
    while (this.#queue.length + this.#elsewhere.length > 0) {
      const large = this.#elsewhere.shift();
      await (large ? large() : this.#commitNext());
      if (this.#queue.length > 0) await this.#letOthersHaveATurn();
    }
    this.#running = undefined;
  }
  /** The answers to this group are written before the next group begins, and new changes join that group. */
  async #letOthersHaveATurn(): Promise<void> {
    await nextTurn();
    await nextTurn();
  }
  async #noted<T>(work: () => Promise<T>): Promise<T> {
    try {
      const value = await work();
      this.#committed();
      this.room.note();
      return value;
    } catch (error) {
      this.room.note(error);
      throw error;
    }
  }
  async #commitNext(): Promise<void> {
    const firstLong = this.#queue.findIndex(({ isLong }) => isLong);
    const size = firstLong < 0 ? GROUP_SIZE_MAX : Math.min(Math.max(firstLong, 1), GROUP_SIZE_MAX);
    const group = this.#queue.splice(0, size);
    if (this.#log && group.every(({ isSoon }) => isSoon)) return this.#commitUnsynced(group, () => {});
    if (firstLong === 0) return this.#commitUnsynced(group, () => this.#log?.sync());
    return this.#commitGroup(group, () => {});
  }
  async #commitUnsynced(group: readonly Waiting[], sync: () => Promise<void> | void): Promise<void> {
    this.#writer.exec(SYNC_LATER);
    try {
      await this.#commitGroup(group, sync);
    } finally {
      this.#writer.exec(SYNC_AT_COMMIT);
    }
  }
  /** Callers that wait for the disk get their answers after everything is there: by the commit itself, or by `sync`. */
  async #commitGroup(group: readonly Waiting[], sync: () => Promise<void> | void): Promise<void> {
    const done: Done[] = [];
    try {
      this.#writer.statement("BEGIN IMMEDIATE").run();
      for (const waiting of group) await this.#runOne(waiting, done);
      this.#writer.statement("COMMIT").run();
      await sync();
      this.#committed();
      if (done.length > 0) this.room.note();
    } catch (error) {
      this.room.note(error);
      if (this.#writer.raw.inTransaction) this.#writer.exec("ROLLBACK");
      for (const waiting of group) waiting.reject(error);
      return;
    }
    for (const { waiting, value } of done) waiting.resolve(value);
  }
  /** A failure rolls back only its own savepoint, not the rest of the group. */
  async #runOne(waiting: Waiting, done: Done[]): Promise<void> {
    const handle = this.#handles.handleOn(this.#writer);
    this.#writer.statement("SAVEPOINT one").run();
    try {
      const value = await waiting.work(handle.db);
      this.#writer.statement("RELEASE one").run();
      done.push({ waiting, value });
    } catch (error) {
      this.room.note(error);
      if (!this.#writer.raw.inTransaction) throw error;
      this.#writer.exec("ROLLBACK TO one; RELEASE one");
      waiting.reject(error);
    } finally {
      handle.end();
    }
  }
}
