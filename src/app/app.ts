/** Composes kernel and services into one running instance. */
import type { CredentialsFile } from "#kernel/auth";
import { type Config, ConfigError, isLoopback } from "#kernel/config";
import { type Database, migrate, openPostgres, openSqlite } from "#kernel/db";
import { deliver } from "#kernel/events";
import { HttpServer } from "#kernel/http";
import type { Service } from "#kernel/operation";
import { Kernel, TimeTravel, waitingForDatabase } from "#kernel/runtime";
import { migrationSetsOf, newerMigrations } from "#kernel/state";
import { accessTokens } from "#ports/access-tokens";
import { sessionKeys } from "#ports/session-keys";
import { createAdminServices } from "../admin/index.ts";
import { prepareCredentials } from "./credentials.ts";
import { databasePathOf, lockDataFolder, NewerDataError, prepareDataFolder } from "./data-folder.ts";
import { prune, sweepOf } from "./housekeeping.ts";
import { loadServices } from "./services.ts";

export type App = {
  readonly kernel: Kernel;
  readonly travel: TimeTravel;
  readonly url: string;
  readonly tlsUrl: string | undefined;
  readonly certificateAuthorityPath: string | undefined;
  readonly certificateAuthorityPem: string | undefined;
  /** Secrets in plain text: generated at the first start, or from the loaded file. */
  readonly credentials: CredentialsFile | undefined;
  readonly credentialsPath: string | undefined;
  readonly firstStart: boolean;
  /** Descriptions of running requests and jobs. Empty if idle. */
  underWay(): readonly string[];
  /** How long a stop waits for running requests and jobs. */
  readonly stopGraceSeconds: number;
  stop(): Promise<void>;
};

/** Process managers usually wait ten seconds before they kill a process. */
const STOP_GRACE_SECONDS = 10;
/** Time to close resources after the grace period. */
const CLOSING_MS = 500;

export const NO_STANDBY = "--read-database needs --database: SQLite has no standby to read from";

export async function openDatabase(config: Config): Promise<Database> {
  const { databaseUrl: url, databaseConnectionsMax: connectionsMax, readDatabase } = config;
  if (url !== undefined) {
    const lagSecondsMax = config.readDatabaseLagSeconds;
    const standby = readDatabase === undefined ? undefined : { url: readDatabase, lagSecondsMax };
    return openPostgres({ url, connectionsMax, ...(standby && { standby }) });
  }
  if (readDatabase !== undefined) throw new ConfigError(NO_STANDBY);
  if (config.memory) return openSqlite(undefined);
  return openSqlite(databasePathOf(config.dataFolder));
}

/** Opens a kernel with migrated tables, without listening. The command line uses it on a stopped instance. */
export async function openKernel(
  config: Config,
  services?: readonly Service[],
): Promise<{ kernel: Kernel; travel: TimeTravel }> {
  const mounted = services ?? (await loadServices(config.services));
  prepareDataFolder(config);
  const kernel = await createKernel(config, mounted);
  try {
    kernel.jobs.register("medley", [deliver, prune, sweepOf(kernel)]);
    for (const service of mounted) kernel.jobs.register(service.name, service.jobs ?? []);
    await refuseNewerData(kernel);
    await waitingForDatabase(kernel.log, async () => {
      await migrate(kernel.database, migrationSetsOf(kernel), kernel.clock.nowMs(), (db) =>
        kernel.accounts.secretsIn(db),
      );
      await kernel.loadShared();
      await kernel.accounts.prepare();
    });
    acceptAccessTokens(kernel);
    acceptSessionKeys(kernel);
    return { kernel, travel: new TimeTravel(kernel) };
  } catch (error) {
    await kernel.stop();
    throw error;
  }
}
async function createKernel(config: Config, services: readonly Service[]): Promise<Kernel> {
  const database = await openDatabase(config);
  try {
    return new Kernel(config, database, services);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** This version could misinterpret data that a newer version wrote. */
async function refuseNewerData(kernel: Kernel): Promise<void> {
  const newer = await newerMigrations(kernel.database, migrationSetsOf(kernel));
  if (newer.length > 0)
    throw new NewerDataError(
      `the data was written by a newer version of Medley (it knows ${newer.join(", ")}): start that version, or use other data`,
    );
}

/** Access tokens of the identity service are valid for every service. */
function acceptAccessTokens(kernel: Kernel): void {
  if (!kernel.hasPort(accessTokens)) return;
  const context = kernel.jobContext("medley", "", "access-tokens");
  kernel.accounts.addTokenVerifier((token) => kernel.port(accessTokens).findPrincipal(context, token));
}

/** Session keys of the token service are valid for every signed service. */
function acceptSessionKeys(kernel: Kernel): void {
  if (!kernel.hasPort(sessionKeys)) return;
  const context = kernel.jobContext("medley", "", "session-keys");
  kernel.accounts.addAccessKeyFinder((id) => kernel.port(sessionKeys).find(context, id));
}

export async function startApp(config: Config, services?: readonly Service[]): Promise<App> {
  const lock = lockDataFolder(config);
  const begun: { kernel?: Kernel; server?: HttpServer } = {};
  const stop = async () => {
    const untilMs = performance.now() + STOP_GRACE_SECONDS * 1000 - CLOSING_MS;
    await begun.server?.stop();
    await begun.kernel?.stop(untilMs - performance.now());
  };
  try {
    const { kernel, travel } = await openKernel(config, services);
    begun.kernel = kernel;
    const server = new HttpServer(kernel, [...kernel.services, ...createAdminServices(kernel, travel)]);
    begun.server = server;
    // Requests need the queue. Jobs stay paused until the server listens, because they may call it inside
    // the process.
    await kernel.jobs.pause();
    const [secured] = await Promise.all([
      waitingForDatabase(kernel.log, () => prepareCredentials(kernel)),
      waitingForDatabase(kernel.log, () => kernel.jobs.start()),
    ]);
    const url = urlOf(config.host, await server.listen(config.host, config.port));
    const tls = config.tls ? await listenSecurely(kernel, server, kernel.services) : undefined;
    kernel.minutes.start();
    lock.announce({ pid: process.pid, url });
    kernel.jobs.resume();
    await waitingForDatabase(kernel.log, () => kernel.startEarly());
    return {
      kernel,
      travel,
      url,
      tlsUrl: tls && `https://localhost:${tls.port}`,
      certificateAuthorityPath: tls?.certificateAuthorityPath,
      certificateAuthorityPem: tls?.certificateAuthorityPem,
      ...secured,
      stopGraceSeconds: STOP_GRACE_SECONDS,
      underWay: () => [...counted("request", server.underWay), ...counted("job", kernel.jobs.underWay)],
      async stop() {
        await stop();
        lock.release();
      },
    };
  } catch (error) {
    await stop();
    lock.abandon();
    throw error;
  }
}

/** For example `2 requests (medley.outbox.list)`. */
function counted(what: string, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  return [`${names.length} ${what}${names.length === 1 ? "" : "s"} (${[...new Set(names)].join(", ")})`];
}

/** If the server listens on all addresses, the URL has a loopback address. */
function urlOf(host: string, port: number): string {
  const everywhere = host === "0.0.0.0" || host === "::";
  const reachable = everywhere ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return `http://${reachable}:${port}`;
}

async function listenSecurely(kernel: Kernel, server: HttpServer, services: readonly Service[]) {
  const { createEphemeralAuthority, ensureLocalAuthority } = await import("#kernel/tls");
  const { config, clock } = kernel;
  const programs = services.flatMap(({ gateway }) => (gateway ? [`*.${gateway.hostLabel}`] : []));
  const mounted = server.mounts.mounts
    .filter(({ label }) => /^[a-z0-9-]+$/.test(label))
    .flatMap(({ label, firstSegmentAsHost }) => [label, ...(firstSegmentAsHost ? [`*.${label}`] : [])]);
  const names = [...mounted, ...programs];
  const options = {
    hosts: [...(isLoopback(config.host) ? [] : [config.host]), ...names.map((name) => `${name}.localhost`)],
    nowMs: clock.machineNowMs(),
  };
  const authority = config.memory
    ? { ...(await createEphemeralAuthority(options)), certificateAuthorityPath: undefined }
    : await ensureLocalAuthority(config.dataFolder, options);
  const port = await server.listen(config.host, config.tlsPort, authority);
  return {
    port,
    certificateAuthorityPath: authority.certificateAuthorityPath,
    certificateAuthorityPem: authority.certificateAuthorityPem,
  };
}
