/** One running instance: clock, database, queue and everything else that contexts use. */
import { tmpdir } from "node:os";
import { sql } from "kysely";
import { Accounts } from "../auth/accounts.ts";
import { Guessing } from "../auth/guessing.ts";
import { ByteBudget } from "../blobs/byte-budget.ts";
import { Clock } from "../clock/clock.ts";
import { Ids } from "../clock/ids.ts";
import { readAuthorities } from "../config/authorities.ts";
import { type Config, isLoopback } from "../config/config.ts";
import type { AnyDb, Database } from "../db/database.ts";
import { Jobs } from "../jobs/queue.ts";
import { ObjectStore } from "../objects/objects.ts";
import { openS3 } from "../objects/s3-store.ts";
import { Effects } from "../observe/effects.ts";
import { type FaultRule, Faults } from "../observe/faults.ts";
import { createLog, type Log } from "../observe/log.ts";
import { Metrics } from "../observe/metrics.ts";
import { Minutes } from "../observe/minutes.ts";
import { createRecorder, type Recorder } from "../observe/record.ts";
import { requestLines } from "../observe/request-line.ts";
import { RequestLog } from "../observe/request-log.ts";
import type { Context, Principal, RequestInfo } from "../operation/context.ts";
import { kernelErrors } from "../operation/errors.ts";
import type { Port } from "../operation/port.ts";
import type { Service } from "../operation/service.ts";
import { createOutbound, type Outbound } from "../outbound/index.ts";
import { PageTokens } from "../paging/page-tokens.ts";
import { MemoryBudget } from "../workers/memory-budget.ts";
import { inTransaction, WorkContext } from "./context.ts";
import { readGauges } from "./gauges.ts";
import { InnerCalls } from "./inner-calls.ts";
import { OwnerCache } from "./owners.ts";
import { Ports } from "./ports.ts";
import type { JobContextOptions } from "./scope.ts";
import { SharedClock } from "./shared-clock.ts";
import { SharedSetting } from "./shared-setting.ts";
import { clearStrikes, strikeCountsOf } from "./strike-counts.ts";

export class Kernel {
  readonly config: Config;
  readonly database: Database;
  readonly clock = new Clock();
  readonly ids = new Ids();
  readonly log: Log;
  readonly metrics = new Metrics();
  readonly faults: Faults;
  readonly requestLog: RequestLog;
  readonly effects = new Effects();
  readonly innerCalls = new InnerCalls();
  /** On the machine's clock, which is never moved. */
  readonly minutes = new Minutes(
    () => this.clock.machineNowMs(),
    () => readGauges(this.database),
  );
  readonly recorder: Recorder | undefined;
  readonly accounts: Accounts;
  readonly guessing = new Guessing();
  readonly owners = new OwnerCache();
  /** The budget for bodies of all requests together. */
  readonly bytesInMemory: ByteBudget;
  readonly bytesOnDisk: ByteBudget;
  /** The budget for decoded pictures of all services together. */
  readonly pictureMemory: MemoryBudget;
  readonly jobs: Jobs;
  readonly outbound: Outbound;
  readonly objects: ObjectStore;
  readonly services: readonly Service[];
  readonly #states = new Map<string, unknown>();
  readonly #ports: Ports;
  readonly sharedClock: SharedClock;
  readonly #sharedFaults: SharedSetting<readonly FaultRule[]>;
  /** Changes whenever state is cleared or loaded. */
  readonly #sharedState: SharedSetting<string>;
  #pageTokens: PageTokens | undefined;

  constructor(config: Config, database: Database, services: readonly Service[]) {
    this.config = config;
    this.database = database;
    this.services = services;
    this.log = createLog(config.logLevel);
    this.bytesInMemory = new ByteBudget(config.bodyMemoryBytesMax);
    this.bytesOnDisk = new ByteBudget(config.bodyDiskBytesMax);
    this.pictureMemory = new MemoryBudget(config.pictureMemoryBytesMax);
    this.faults = new Faults(strikeCountsOf(database));
    this.requestLog = new RequestLog(
      config.requestLogSize,
      config.requestLogBytesMax,
      config.logRequests && requestLines(config.logRequests),
    );
    this.recorder = createRecorder(config.recordFolder);
    this.accounts = new Accounts(database, this.clock, this.ids, config.secretKey);
    this.outbound = createOutbound({
      listensOnLoopbackOnly: isLoopback(config.host),
      allowedNetworks: config.allowedNetworks,
      certificateAuthorities: readAuthorities(config.outboundAuthorities),
      userAgent: "medley",
    });
    this.objects = new ObjectStore(database, openS3(config, this.log));
    this.sharedClock = new SharedClock({
      clock: this.clock,
      database,
      node: this.ids.next("node"),
      leaseMs: config.jobLeaseSeconds * 1000,
    });
    this.#sharedFaults = new SharedSetting<readonly FaultRule[]>(database, "faults", (rules) =>
      this.faults.replace(rules),
    );
    this.#sharedState = new SharedSetting<string>(database, "state", () => this.#forgetState());
    this.jobs = new Jobs(this);
    this.#ports = new Ports(services);
  }
  /** For files that end with the process. */
  get temporaryFolder(): string {
    return this.config.memory ? tmpdir() : this.config.dataFolder;
  }
  /** The in-memory state of the service for this instance; made on first use. */
  stateOf(service: string): unknown {
    const known = this.#states.get(service);
    if (known !== undefined || this.#states.has(service)) return known;
    const state = this.services.find(({ name }) => name === service)?.start?.(this);
    this.#states.set(service, state);
    return state;
  }
  /** Makes the state of services that have work to do before their first request. */
  async startEarly(): Promise<void> {
    for (const { name, startsEarly } of this.services)
      if (startsEarly && (await this.#hasWork(startsEarly))) this.stateOf(name);
  }
  async #hasWork(early: NonNullable<Service["startsEarly"]>): Promise<boolean> {
    if ("setting" in early) return early.setting in this.config;
    if (this.database.kind === "postgres") return true;
    const { rows } = await sql`select 1 from ${sql.table(early.table)} limit 1`.execute(this.database.read);
    return rows.length > 0;
  }
  get #started(): readonly Service[] {
    return this.services.filter(({ name }) => this.#states.has(name));
  }
  /** One key for all nodes of a database, also after a restart: any node may serve the next page. */
  get pageTokens(): PageTokens {
    this.#pageTokens ??= new PageTokens(this.accounts.secrets.deriveKey("page tokens"));
    return this.#pageTokens;
  }
  port<T, Offer>(port: Port<T, Offer>): T {
    const found = this.findPort(port) ?? port.join?.([]);
    // An operation needs a service that is not mounted.
    if (found === undefined) throw kernelErrors.routeNotFound(`No mounted service provides ${port.name}.`);
    return found;
  }
  findPort<T, Offer>(port: Port<T, Offer>): T | undefined {
    return this.#ports.find(port);
  }
  hasPort(port: { readonly name: string }): boolean {
    return this.#ports.isProvided(port.name);
  }

  /** Work on behalf of an account without a request: jobs, seeding, the command line. */
  jobContext(service: string, account: string, id: string, options: JobContextOptions = {}): Context {
    const { guard, commits, mayBeOld } = options;
    const who = {
      service,
      principal: internalPrincipal(account),
      request: noRequest(id),
      mayBeOld,
      ...(commits && { commits }),
    };
    return new WorkContext(this, who, undefined, guard);
  }
  /** The same in an open transaction. The code that commits it must tell the context. */
  jobContextIn(db: AnyDb, service: string, account: string, id: string): WorkContext {
    const who = { service, principal: internalPrincipal(account), request: noRequest(id) };
    return new WorkContext(this, who, db);
  }
  workAs(service: string, account: string): Context {
    return this.jobContext(service, account, this.ids.next("work"));
  }
  transactAs<T>(
    service: string,
    account: string,
    work: (context: Context) => Promise<T>,
    mountUrl = "",
  ): Promise<T> {
    const request = { ...noRequest(this.ids.next("work")), mountUrl };
    const who = { service, principal: internalPrincipal(account), request };
    return inTransaction(this, who, work);
  }

  /** Refreshes clock and faults from a shared database. False while another node moves the clock. */
  async refreshShared(): Promise<boolean> {
    if (this.database.kind === "sqlite") return true;
    await this.#sharedFaults.refresh();
    await this.#sharedState.refresh();
    return this.sharedClock.refresh();
  }
  /** At start. */
  async loadShared(): Promise<void> {
    await this.sharedClock.load();
    await this.#sharedFaults.refresh();
    if (this.database.kind === "postgres") await this.#sharedState.refresh();
  }
  /** After state was cleared or loaded: invalidates the caches of this node and of the others. */
  async stateReplaced(): Promise<void> {
    this.#forgetState();
    if (this.database.kind === "postgres") await this.#sharedState.save(this.ids.next("state"));
  }
  #forgetState(): void {
    this.owners.clear();
    this.accounts.forget();
    for (const service of this.#started) service.forget?.(this.stateOf(service.name));
  }
  /** Starts no more jobs, waits for running ones, stops the services, and closes the database last. */
  async stop(waitMs?: number): Promise<void> {
    // At the same time, because running jobs may wait for what a service closes, and record their result.
    const stopping = this.#started.map((service) => service.stop?.(this.stateOf(service.name)));
    await Promise.all([this.jobs.stop(waitMs), ...stopping]);
    this.minutes.stop();
    await this.outbound.close();
    await this.database.close();
  }
  /** New and changed rules count from zero. All rules are stored for other nodes and for the next start. */
  async replaceFaults(rules: readonly FaultRule[]): Promise<void> {
    const kept = this.faults.replace(rules);
    await this.database.transact((db) => clearStrikes(db, kept));
    await this.#sharedFaults.save(rules);
  }
}

const internalPrincipal = (account: string): Principal => ({
  account,
  name: "medley",
  credentialKind: "internal",
  admin: false,
});
const noRequest = (id: string): RequestInfo => ({
  id,
  method: "",
  operation: "",
  mountUrl: "",
  rawUrl: "",
  headers: {},
  remoteAddress: "",
  region: "local",
  dialect: undefined,
});
