/** A service: its name, mount, protocol and everything it declares. */
import type { Kysely } from "kysely";
import type { SecretBox } from "../auth/secrets.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { Protocol } from "../protocols/protocol.ts";
import type { MemoryTurns } from "../workers/memory-turns.ts";
import type { ConsoleView } from "./console-view.ts";
import type { Context } from "./context.ts";
import type { KernelErrorName } from "./errors.ts";
import type { Gateway } from "./gateway.ts";
import type { AnyJob } from "./job.ts";
import type { Operation } from "./operation.ts";
import type { Port } from "./port.ts";
import type { ProvidedPort } from "./provided-port.ts";
import type { FindRelated, ResourceKind } from "./resource-kind.ts";
import type { SharedWords } from "./shared-words.ts";

// biome-ignore lint/suspicious/noExplicitAny: a migration sees tables as they were, not as they are.
export type Migration = { up(db: Kysely<any>, tools: MigrationTools): Promise<void> };
export type MigrationTools = {
  /** Seals what an older version kept as it was; to be asked for only where there is something to seal. */
  secrets(): Promise<SecretBox>;
};

export type ServicePage = { readonly path: string; readonly title: string; readonly summary: string };

/** What a service's own state may be made of. */
export type Instance = Pick<Context, "config" | "clock" | "ids" | "log" | "outbound"> & {
  /** A transaction on behalf of an account, where neither request nor job is at hand. */
  transactAs<T>(service: string, account: string, work: (context: Context) => Promise<T>): Promise<T>;
  /** Likewise, for work that reads, or opens its transactions itself. */
  workAs(service: string, account: string): Context;
  /** For whatever decodes pictures: so much of it as one takes. */
  readonly pictureMemory: MemoryTurns;
};

/** Those that count as services; the others, such as the resource manager, are what these share. */
const promised = (services: readonly Service[]): readonly Service[] =>
  services.filter(({ contract }) => contract !== undefined);
const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
export const operationCountOf = (service: Service): number =>
  service.operationCount ?? service.operations.length;
/** What terminal and console tell of; what the services share is not counted. */
export function figuresOf(services: readonly Service[]): { services: string; operations: string } {
  const all = promised(services);
  const operations = all.reduce((sum, service) => sum + operationCountOf(service), 0);
  return { services: counted(all.length, "service"), operations: counted(operations, "operation") };
}

// biome-ignore lint/suspicious/noExplicitAny: a service of any state fits where its state does not matter.
export type Service<State = any> = {
  readonly name: string;
  readonly title: string;
  /** One sentence for a user. */
  readonly summary: string;
  /** Letter of the contract; absent for what the contract does not promise. */
  readonly contract?: string;
  /** `/braille`; several services may share a mount and protocol. */
  readonly mount: string;
  /** Further addresses of the same operations, such as those of other versions; what differs there is for the handlers to see. */
  readonly alsoAt?: readonly string[];
  /** Paths below the mount that also answer at the root of the host, for clients that cannot keep a prefix. */
  readonly rootPaths?: readonly string[];
  /** Whether `<name>.<mount>.localhost` stands for `/<mount>/<name>`: for clients that take no path in an endpoint. */
  readonly firstSegmentAsHost?: boolean;
  readonly protocol: Protocol;
  /** What parameters and members of a name mean wherever they appear, with an example; what a shape says itself counts. */
  readonly sharedWords?: SharedWords;
  /** Own names for kernel errors, where the service spells them unlike its protocol. */
  readonly errorNames?: Partial<Record<KernelErrorName, readonly [code: string, status: number]>>;
  readonly dialects?: readonly Dialect[];
  readonly operations: readonly Operation[];
  /** Where it is known before the operations are loaded. */
  readonly operationCount?: number;
  /** Where requests arrive that it hands on instead of answering them. */
  readonly gateway?: Gateway;
  readonly jobs?: readonly AnyJob[];
  readonly migrations?: Readonly<Record<string, Migration>>;
  /** Every table of the service, each with an `account` column: what export, import and reset move. */
  readonly tables?: readonly string[];
  /** Further ones that hold whom owners of accounts name: they go where accounts go, and a reset leaves them. */
  readonly accountTables?: readonly string[];
  /** Columns whose text was sealed with `context.secrets`, by table: an import makes sure that they can be opened. */
  readonly sealedColumns?: Readonly<Record<string, readonly string[]>>;
  readonly provides?: readonly ProvidedPort[];
  // biome-ignore lint/suspicious/noExplicitAny: ports differ in what they offer.
  readonly needs?: readonly Port<any, any>[];
  readonly console?: readonly ConsoleView[];
  /** How the resources that it puts in the catalogue are tagged and deleted. */
  readonly resourceKinds?: readonly ResourceKind[];
  readonly findRelated?: FindRelated;
  /** Pages of its own that people open in a browser, below its mount: the console leads to them. */
  readonly pages?: readonly ServicePage[];
  /** Demo data, in one transaction; seeding again must change nothing. */
  // biome-ignore lint/suspicious/noExplicitAny: tables differ.
  seed?(context: Context<any, State>): Promise<void>;
  /**
   * Makes what the service keeps in memory for one running instance, of which several may live in one process: its
   * handlers, jobs, seed and console views find it as `context.state`. It is made on first use.
   */
  start?(instance: Instance): State;
  /** Its state is made with the server where this setting is given, or where this table has rows or other nodes may add some. */
  readonly startsEarly?: { readonly setting: string } | { readonly table: string };
  /** After state was cleared or loaded: whatever is remembered of it no longer holds. */
  forget?(state: State): void;
  /** When the instance stops: closes its workers and sockets. */
  stop?(state: State): Promise<void>;
};
export const defineService = <State>(service: Service<State>): Service => service;
