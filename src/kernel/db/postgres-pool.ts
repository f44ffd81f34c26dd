/** A bounded pool of connections. It drops connections that fall silent. */
import { type PostgresConnection, STATEMENT_MS_MAX } from "./postgres-connection.ts";
import type { PostgresServers } from "./postgres-servers.ts";

const WAIT_MS_MAX = 15_000;
const IDLE_MS_MAX = 30_000;
const WATCH_MS = 500;
/** A connection that is silent for so long is checked through another one. */
const SILENT_MS = 2000;
/** Added to the server's own statement timeout, so that its error can arrive. */
const GRACE_MS = 5000;
const CLOSE_MS_MAX = 10_000;

/** The server has no free connection slot, but it is alive. */
const isFull = (error: unknown): boolean => String((error as { code?: unknown }).code).startsWith("53");

type Waiting = {
  resolve(connection: PostgresConnection): void;
  reject(error: Error): void;
  readonly timer: NodeJS.Timeout;
};

export class PostgresPool {
  readonly #servers: PostgresServers;
  readonly #connectionsMax: number;
  readonly #idle: PostgresConnection[] = [];
  readonly #busy = new Set<PostgresConnection>();
  /** Connections without a timeout: migrations. */
  readonly #patient = new WeakSet<PostgresConnection>();
  readonly #waiting: Waiting[] = [];
  #opening = 0;
  #closed = false;
  #watching = false;
  readonly #timer: NodeJS.Timeout;
  #emptied: (() => void) | undefined;

  constructor(servers: PostgresServers, connectionsMax: number) {
    this.#servers = servers;
    this.#connectionsMax = connectionsMax;
    this.#timer = setInterval(() => this.#watch(), WATCH_MS).unref();
  }

  /** `isLost` decides from the error whether the connection is broken. */
  async use<T>(
    work: (connection: PostgresConnection) => Promise<T>,
    isLost: (error: unknown) => boolean,
    { patient = false } = {},
  ): Promise<T> {
    const connection = await this.#take();
    if (patient) this.#patient.add(connection);
    try {
      return await work(connection);
    } catch (error) {
      if (isLost(error)) this.#leave(connection);
      throw error;
    } finally {
      if (patient) this.#patient.delete(connection);
      this.#giveBack(connection);
    }
  }
  /** Closes idle connections now, and busy ones when they are returned. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    this.#refuseWaiting(new Error("Connection terminated: the database is being closed"));
    await Promise.all(this.#idle.splice(0).map((connection) => connection.close()));
    if (this.#busy.size + this.#opening === 0) return;
    const timer = setTimeout(() => {
      for (const connection of this.#busy) connection.destroy();
    }, CLOSE_MS_MAX);
    await new Promise<void>((resolve) => {
      this.#emptied = resolve;
    });
    clearTimeout(timer);
  }

  #take(): Promise<PostgresConnection> {
    if (this.#closed) return Promise.reject(new Error("the database is closed"));
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (idle.lost) continue;
      this.#busy.add(idle);
      return Promise.resolve(idle);
    }
    if (this.#busy.size + this.#opening < this.#connectionsMax) return this.#open();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(new Error("timeout exceeded when waiting for a connection that others use"));
      }, WAIT_MS_MAX).unref();
      const waiting = { resolve, reject, timer };
      this.#waiting.push(waiting);
    });
  }
  async #open(): Promise<PostgresConnection> {
    this.#opening += 1;
    try {
      const connection = await this.#servers.connect();
      this.#busy.add(connection);
      return connection;
    } catch (error) {
      // If no connection is in use, none will be returned: waiting callers fail at once.
      if (this.#busy.size === 0) this.#refuseWaiting(error as Error);
      throw error;
    } finally {
      this.#opening -= 1;
      if (this.#opening + this.#busy.size < this.#connectionsMax) this.#serveNext();
    }
  }
  #giveBack(connection: PostgresConnection): void {
    this.#busy.delete(connection);
    if (this.#closed) {
      void connection.close();
      if (this.#busy.size + this.#opening === 0) this.#emptied?.();
      return;
    }
    connection.idleSinceMs = performance.now();
    if (!connection.lost) this.#idle.push(connection);
    this.#serveNext();
  }
  #refuseWaiting(error: Error): void {
    for (const { reject, timer } of this.#waiting.splice(0)) {
      clearTimeout(timer);
      reject(error);
    }
  }
  #serveNext(): void {
    const next = this.#waiting.shift();
    if (!next) {
      if (this.#closed && this.#busy.size + this.#opening === 0) this.#emptied?.();
      return;
    }
    clearTimeout(next.timer);
    this.#take().then(next.resolve, next.reject);
  }

  /** One lost connection suggests more, so idle ones are dropped too. The next one looks for the writable server. */
  #leave(connection: PostgresConnection): void {
    connection.destroy();
    for (const idle of this.#idle.splice(0)) idle.destroy();
    this.#servers.forget();
  }
  #watch(): void {
    const nowMs = performance.now();
    const isOld = ({ idleSinceMs, lost }: PostgresConnection) => lost || nowMs - idleSinceMs > IDLE_MS_MAX;
    for (const old of this.#idle.filter(isOld)) {
      this.#idle.splice(this.#idle.indexOf(old), 1);
      void old.close();
    }
    const silent = [...this.#busy].filter((connection) => connection.silentMs(nowMs) > SILENT_MS);
    for (const connection of silent)
      if (connection.silentMs(nowMs) > STATEMENT_MS_MAX + GRACE_MS && !this.#patient.has(connection))
        this.#leave(connection);
    if (silent.length === 0 || this.#watching) return;
    this.#watching = true;
    void this.#askAbout(silent).finally(() => {
      this.#watching = false;
    });
  }
  /** Checks through another connection whether the server answers, and whether the silent backends are active. */
  async #askAbout(silent: readonly PostgresConnection[]): Promise<void> {
    const beganMs = performance.now();
    const isAtWork = await this.#findAtWork(silent).catch((error) => () => isFull(error));
    // An answer may be on its way.
    await new Promise((resolve) => setTimeout(resolve, WATCH_MS).unref());
    const sinceMs = performance.now() - beganMs;
    for (const connection of silent) {
      const stillSilent = connection.silentMs(performance.now()) > SILENT_MS + sinceMs;
      if (stillSilent && !connection.lost && !isAtWork(connection)) this.#leave(connection);
    }
  }
  async #findAtWork(silent: readonly PostgresConnection[]) {
    const asking = await this.#servers.connect();
    try {
      const values = [silent.map(({ serverProcess }) => serverProcess ?? 0)];
      const text = "SELECT pid FROM pg_stat_activity WHERE pid = any($1::int[]) AND state = 'active'";
      const timer = setTimeout(() => asking.destroy(), SILENT_MS);
      const { rows } = await asking.query({ text, values }).finally(() => clearTimeout(timer));
      const atWork = new Set(rows.map(({ pid }) => pid));
      return ({ serverProcess, server }: PostgresConnection) =>
        server === asking.server && (serverProcess === undefined || atWork.has(serverProcess));
    } finally {
      void asking.close();
    }
  }
}
