/**
 * Group commit: queued changes run one after another in one transaction. One commit makes them all durable, and then
 * all callers get their answers. A change that fails after it has written rolls the transaction back. Then all changes
 * of the group run once more, each in a savepoint of its own, so that the failed one undoes only its own writes.
 */
import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
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
/** Held changes commit after this time, or before they become this many or this large. */
export const HELD_MS_MAX = 50;
export const HELD_COUNT_MAX = 1000;
export const HELD_BYTES_MAX = 1024 * 1024;

export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** When a change is on disk: before its caller gets the answer, with a later one, or with a later commit. */
type When = "at-once" | "soon" | "held";
type Waiting = {
  readonly isLong: boolean;
  readonly when: When;
  /** Its group uses savepoints from the beginning. */
  readonly runsOnce: boolean;
  work(db: AnyDb): unknown;
  resolve(value: unknown): void;
  reject(error: unknown): void;
};
/** An outer transaction that stays open for further changes. */
type Held = { readonly timer: NodeJS.Timeout; readonly untilBytes: number; count: number; isDue: boolean };
/** Either a value, or why the change failed. */
type Done = {
  readonly waiting: Waiting;
  readonly value?: unknown;
  readonly failure?: { readonly error: unknown };
};

type ChangeOptions = {
  /** The approximate size. */
  readonly bytes?: number | undefined;
  readonly when?: When;
  /** For work that takes long, or that cannot run twice. */
  readonly runsOnce?: boolean;
};

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
  /** Set while a group runs. */
  #group: Promise<void> | undefined;
  #held: Held | undefined;
  /** Why held changes were lost, until somebody who depends on them knows. */
  #lost: { readonly error: unknown } | undefined;
  #syncsLater = false;
  readonly room = new Room();

  constructor({ writer, handles, committed, log }: GroupCommitOptions) {
    this.#writer = writer;
    this.#handles = handles;
    this.#committed = committed;
    this.#log = log;
  }

  transact<T>(
    work: (db: AnyDb) => T | Promise<T>,
    { bytes = 0, when = "at-once", runsOnce = false }: ChangeOptions = {},
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const isLong = this.#log !== undefined && bytes >= LONG_BYTES;
      this.#queue.push({ isLong, when, runsOnce, work, resolve: resolve as Waiting["resolve"], reject });
      this.#running ??= this.#drain();
    });
  }
  /** Inside a transaction of `transact`. */
  run(script: string): void {
    this.#writer.exec(script);
  }
  /** `work` runs a transaction on another connection. Nothing changes here meanwhile. */
  transactElsewhere<T>(work: () => Promise<T>): Promise<T> {
    return this.betweenChanges(() => this.#noted(work));
  }
  /** Others who change something wait for this work. It changes nothing itself. */
  betweenChanges<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#elsewhere.push(() => work().then(resolve, reject));
      this.#running ??= this.#drain();
    });
  }
  /** Waits until no transaction is open; for readers on the writing connection. */
  async betweenTransactions<T>(use: () => Promise<T>): Promise<T> {
    while (this.#running) await this.#running;
    return use();
  }
  /** Rejects if held changes were lost. */
  async commitHeld(): Promise<void> {
    if (this.#running) await this.transact(() => {}, { when: "soon" });
    else this.#commitHeld();
    const lost = this.#takeLost();
    if (lost) throw lost.error;
  }
  /** A query that sees held changes: `writer` has them until they are committed. */
  async readHeld<R>(query: CompiledQuery, reader: DatabaseConnection): Promise<QueryResult<R>> {
    while (this.#held && this.#group) await this.#group;
    return (this.#held ? this.#writer : reader).executeQuery<R>(query);
  }
  /** Removes all traces of deleted rows from the file and from the WAL. No checkpoint may run meanwhile. */
  async rewriteFile(checkpoints: Checkpoints): Promise<void> {
    do {
      await checkpoints.settle();
      await this.settle();
    } while (checkpoints.areRunning);
    this.#syncLater(false);
    this.#writer.exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
  }
  async settle(): Promise<void> {
    while (this.#running) await this.#running;
    this.#commitHeld();
  }

  async #drain(): Promise<void> {
    // Wait one event-loop turn, so that requests already received join the same commit.
    await nextTurn();
    while (this.#queue.length + this.#elsewhere.length > 0 || this.#held?.isDue) {
      const large = this.#elsewhere.shift();
      this.#group = large ? this.#runElsewhere(large) : this.#commitNext();
      await this.#group;
      this.#group = undefined;
      if (this.#queue.length > 0) await this.#letOthersHaveATurn();
    }
    this.#running = undefined;
  }
  #runElsewhere(large: () => Promise<void>): Promise<void> {
    this.#commitHeld();
    return large();
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
    if (this.#held?.isDue) this.#commitHeld();
    const firstLong = this.#queue.findIndex(({ isLong }) => isLong);
    const size = firstLong < 0 ? GROUP_SIZE_MAX : Math.min(Math.max(firstLong, 1), GROUP_SIZE_MAX);
    const group = this.#queue.splice(0, size);
    const isEach = (...all: readonly When[]) => group.every(({ when }) => all.includes(when));
    if (this.#log && group.length > 0 && firstLong !== 0 && isEach("held")) return this.#runHeld(group);
    this.#commitHeld();
    if (group.length === 0) return;
    const isSoon = this.#log !== undefined && isEach("held", "soon");
    const isSyncedHere = firstLong === 0 && !isSoon;
    return this.#commitGroup(group, isSoon || firstLong === 0, () =>
      isSyncedHere ? this.#log?.sync() : undefined,
    );
  }
  /** Inside a transaction SQLite refuses the change. */
  #syncLater(isLater: boolean): void {
    if (isLater === this.#syncsLater) return;
    this.#writer.exec(isLater ? SYNC_LATER : SYNC_AT_COMMIT);
    this.#syncsLater = isLater;
  }
  /** Callers that wait for the disk get their answers after everything is there: by the commit itself, or by `sync`. */
  async #commitGroup(
    group: readonly Waiting[],
    syncsLater: boolean,
    sync: () => Promise<void> | void,
  ): Promise<void> {
    const done: Done[] = [];
    try {
      this.#syncLater(syncsLater);
      this.#writer.statement("BEGIN IMMEDIATE").run();
      if (group.some(({ runsOnce }) => runsOnce) || !(await this.#runTogether(group, done)))
        for (const waiting of group) await this.#runOne(waiting, done);
      this.#writer.statement("COMMIT").run();
      await sync();
      this.#committed();
      if (done.some(({ failure }) => !failure)) this.room.note();
    } catch (error) {
      this.room.note(error);
      if (this.#writer.raw.inTransaction) this.#writer.exec("ROLLBACK");
      for (const waiting of group) waiting.reject(error);
      return;
    }
    settle(done);
  }
  /** Returns false, with a new transaction, if a change failed after it had written. */
  async #runTogether(group: readonly Waiting[], done: Done[]): Promise<boolean> {
    for (const waiting of group) {
      const isUndone = await this.#runUnprotected(waiting, done);
      if (!isUndone || group.length === 1) continue;
      done.length = 0;
      return false;
    }
    return true;
  }
  /** Without a savepoint. Returns true, with a new transaction, if all writes of the transaction had to be undone. */
  async #runUnprotected(waiting: Waiting, done: Done[]): Promise<boolean> {
    const handle = this.#handles.handleOn(this.#writer);
    const before = this.#writer.rowsWritten;
    try {
      const value = await waiting.work(handle.db);
      if (!this.#writer.raw.inTransaction) throw new Error("SQLite rolled back the transaction");
      done.push({ waiting, value });
      return false;
    } catch (error) {
      this.room.note(error);
      if (!this.#writer.raw.inTransaction) throw error;
      done.push({ waiting, failure: { error } });
      if (this.#writer.rowsWritten === before) return false;
      this.#writer.exec("ROLLBACK; BEGIN IMMEDIATE");
      return true;
    } finally {
      handle.end();
    }
  }
  /** The outer transaction stays open. Callers get their answers before the commit. */
  async #runHeld(group: readonly Waiting[]): Promise<void> {
    const done: Done[] = [];
    try {
      const lost = this.#takeLost();
      if (lost) throw lost.error;
      const held = this.#hold();
      for (const waiting of group) await this.#runOne(waiting, done);
      held.count += group.length;
      if (held.count >= HELD_COUNT_MAX || this.#writer.bytesBound >= held.untilBytes) held.isDue = true;
    } catch (error) {
      // SQLite may have rolled back everything that was held. Callers that got an answer before must learn it.
      if (this.#held && this.#held.count > 0) this.#lost = { error };
      this.#endHeld();
      if (this.#writer.raw.inTransaction) this.#writer.exec("ROLLBACK");
      for (const waiting of group) waiting.reject(error);
      return;
    }
    settle(done);
  }
  #hold(): Held {
    if (this.#held) return this.#held;
    this.#syncLater(true);
    this.#writer.statement("BEGIN IMMEDIATE").run();
    const timer = setTimeout(() => {
      if (this.#held) this.#held.isDue = true;
      this.#running ??= this.#drain();
    }, HELD_MS_MAX).unref();
    this.#held = { timer, untilBytes: this.#writer.bytesBound + HELD_BYTES_MAX, count: 0, isDue: false };
    return this.#held;
  }
  #endHeld(): void {
    clearTimeout(this.#held?.timer);
    this.#held = undefined;
  }
  #commitHeld(): void {
    if (!this.#held) return;
    this.#endHeld();
    try {
      this.#writer.statement("COMMIT").run();
      this.#committed();
      this.room.note();
    } catch (error) {
      this.room.note(error);
      if (this.#writer.raw.inTransaction) this.#writer.exec("ROLLBACK");
      this.#lost = { error };
    }
  }
  #takeLost(): { readonly error: unknown } | undefined {
    const lost = this.#lost;
    this.#lost = undefined;
    return lost;
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
      done.push({ waiting, failure: { error } });
    } finally {
      handle.end();
    }
  }
}

/** Only after the commit: a failure may be due to another change of the group. */
function settle(done: readonly Done[]): void {
  for (const { waiting, value, failure } of done)
    if (failure) waiting.reject(failure.error);
    else waiting.resolve(value);
}
