/** A streaming standby for reads that may be old. While it cannot be used, they go to the primary. */
import { type CompiledQuery, sql } from "kysely";
import type { AnyDb, Standby, StandbyProblem, StandbyState } from "./database.ts";
import type { PostgresConnection } from "./postgres-connection.ts";
import type { PostgresPool } from "./postgres-pool.ts";
import type { PostgresServers } from "./postgres-servers.ts";
import type { HandleFactory } from "./single-connection.ts";

const CHECK_MS = 1000;
/** Positions of the primary that the standby has not reached. Beyond this number the last one is replaced. */
const MOMENTS_MAX = 60;

type Use = <T>(use: (connection: PostgresConnection) => Promise<T>) => Promise<T>;
type Server = { position: number; is_standby: boolean; cluster: string; name: string; schema: string };
/**
 * The position in the log of changes. The replay timestamp alone would not do: while nothing is written, it is as
 * old as for a standby that is behind.
 */
const QUESTION = sql<Server>`select pg_is_in_recovery() as is_standby, current_database() as name,
  coalesce(current_schema(), '') as schema,
  (select system_identifier from pg_control_system())::text as cluster,
  pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_replay_lsn()
    else pg_current_wal_flush_lsn() end, '0/0') as position`;

export type StandbyOptions = {
  readonly servers: PostgresServers;
  readonly pool: PostgresPool;
  readonly handles: HandleFactory;
  readonly lagMsMax: number;
  readonly isLost: (error: unknown) => boolean;
  /** How reads of the primary get their connection. */
  readonly usePrimary: Use;
};

export class PostgresStandby implements Standby {
  readonly #options: StandbyOptions;
  readonly read: AnyDb;
  readonly #question: CompiledQuery<Server>;
  #problem: StandbyProblem | undefined = { problem: "it has not answered yet" };
  /** The standby has everything that was committed before this moment. */
  #freshMs = Number.NEGATIVE_INFINITY;
  #moments: { readonly atMs: number; readonly position: number }[] = [];
  #checking: Promise<void> | undefined;
  readonly #timer: NodeJS.Timeout;

  constructor(options: StandbyOptions) {
    this.#options = options;
    this.read = options.handles.handleOf((use) => this.#read(use));
    this.#question = QUESTION.compile(this.read);
    this.#timer = setInterval(() => void this.check(), CHECK_MS).unref();
    void this.check();
  }
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#options.pool.close();
  }
  get state(): StandbyState {
    if (this.#problem !== undefined) return { isUsed: false, ...this.#problem };
    const lagMs = performance.now() - this.#freshMs;
    const lagSeconds = lagMs / 1000;
    if (lagMs <= this.#options.lagMsMax) return { isUsed: true, lagSeconds };
    const problem = `it is ${Math.round(lagSeconds)} s behind, more than ${this.#options.lagMsMax / 1000} s`;
    return { isUsed: false, lagSeconds, problem };
  }
  /** One at a time. A server that is silent gets old, and is not used either. */
  check(): Promise<void> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #read<T>(use: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    const { pool, servers, isLost, usePrimary } = this.#options;
    if (!this.state.isUsed) return usePrimary(use);
    try {
      return await pool.use(use, isLost);
    } catch (error) {
      servers.heedsLostStatement(error);
      // If the primary refuses it too, the standby is not to blame.
      const value = await usePrimary(use);
      this.#problem = { problem: "it refused a read", detail: messageOf(error) };
      return value;
    }
  }
  async #check(): Promise<void> {
    const { pool, servers, isLost, usePrimary } = this.#options;
    const atMs = performance.now();
    const ask = async (connection: PostgresConnection): Promise<Server> => {
      const { rows } = await connection.executeQuery<Server>(this.#question);
      return rows[0] as Server;
    };
    try {
      // While the primary is away, the standby gets older and is used up to its limit.
      const primary = await usePrimary(ask).catch(() => undefined);
      const standby = await pool.use(ask, isLost);
      if (primary) this.#compare(primary, standby, atMs);
    } catch (error) {
      servers.heedsLostStatement(error);
      this.#problem = { problem: "it does not answer", detail: messageOf(error) };
    }
  }
  #compare(primary: Server, standby: Server, atMs: number): void {
    this.#problem = mismatchOf(primary, standby);
    if (this.#moments.length === MOMENTS_MAX) this.#moments.pop();
    this.#moments.push({ atMs, position: primary.position });
    const reached = this.#moments.findLast(({ position }) => position <= standby.position);
    if (!reached) return;
    this.#freshMs = reached.atMs;
    this.#moments = this.#moments.slice(this.#moments.indexOf(reached) + 1);
  }
}

const messageOf = (error: unknown): string => {
  const { message, code } = error as { message?: string; code?: string };
  return message || String(code);
};
function mismatchOf(primary: Server, standby: Server): StandbyProblem | undefined {
  if (!standby.is_standby) return { problem: "it takes writes, so it is not a standby" };
  if (standby.cluster !== primary.cluster) return { problem: "it is a standby of another server" };
  if (standby.name !== primary.name || standby.schema !== primary.schema)
    return {
      problem: "it has another database",
      detail: `${standby.name}.${standby.schema}, not ${primary.name}.${primary.schema}`,
    };
  return undefined;
}
