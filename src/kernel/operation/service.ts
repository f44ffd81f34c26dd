/** A service: its name, mount, protocol and everything it declares. */
import type { Kysely } from "kysely";
import type { SecretBox } from "../auth/secrets.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { ObjectTable } from "../objects/objects.ts";
import type { Protocol } from "../protocols/protocol.ts";
import type { MemoryBudget } from "../workers/memory-budget.ts";
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
  /** Encrypts values that an older version stored in plain text. Call it only if there are such values. */
  secrets(): Promise<SecretBox>;
};

export type ServicePage = {
  readonly path: string;
  readonly title: string;
  readonly summary: string;
  /** Whether the console shows it in its own frame. Made with `toolPage` of `#kernel/html`. */
  readonly isTool?: boolean;
};

/** What the state of a service may use. */
export type Instance = Pick<Context, "config" | "clock" | "ids" | "log" | "outbound"> & {
  /** A transaction on behalf of an account, outside of a request or job. */
  transactAs<T>(service: string, account: string, work: (context: Context) => Promise<T>): Promise<T>;
  /** The same for work that only reads, or that opens its own transactions. */
  workAs(service: string, account: string): Context;
  /** The budget of memory for decoded pictures. */
  readonly pictureMemory: MemoryBudget;
};

/** Those that the contract counts as services. The others, such as the resource manager, are shared parts. */
const promised = (services: readonly Service[]): readonly Service[] =>
  services.filter(({ contract }) => contract !== undefined);
const counted = (count: number, noun: string): string =>
  `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
export const operationCountOf = (service: Service): number =>
  service.operationCount ?? service.operations.length;
/** The figures for terminal and console, without shared parts. */
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
  /** The letter of the contract; absent for what the contract does not promise. */
  readonly contract?: string;
  /** `/braille`; several services may share a mount and protocol. */
  readonly mount: string;
  /** Further addresses of the same operations, such as other versions. Handlers see which one was used. */
  readonly alsoAt?: readonly string[];
  /** Paths below the mount that also work at the root of the host, for clients that drop a prefix. */
  readonly rootPaths?: readonly string[];
  /** Whether `<name>.<mount>.localhost` means `/<mount>/<name>`, for clients that accept no path in an endpoint. */
  readonly firstSegmentAsHost?: boolean;
  readonly protocol: Protocol;
  /** Descriptions and examples of parameters and members by name. A description in a shape takes precedence. */
  readonly sharedWords?: SharedWords;
  /** The service's names of kernel errors, if they differ from its protocol. */
  readonly errorNames?: Partial<Record<KernelErrorName, readonly [code: string, status: number]>>;
  readonly dialects?: readonly Dialect[];
  readonly operations: readonly Operation[];
  /** Known before the operations are loaded. */
  readonly operationCount?: number;
  /**
   * What the admin interface offers for it, at paths that begin with its name. Each runs as the service, in a transaction where
   * it changes something, for the account that `account` of its body or query names.
   */
  readonly adminOperations?: readonly Operation[];
  /** Takes requests that it forwards instead of answering them. */
  readonly gateway?: Gateway;
  readonly jobs?: readonly AnyJob[];
  readonly migrations?: Readonly<Record<string, Migration>>;
  /** Every table of the service, each with an `account` column. Export, import and reset use this list. */
  readonly tables?: readonly string[];
  /** Tables whose bytes may be in an object store: columns `bytes` and `object`. */
  readonly objectTables?: readonly ObjectTable[];
  /** Tables with people whom account owners name. They move with accounts, and a reset keeps them. */
  readonly accountTables?: readonly string[];
  /** Columns encrypted with `context.secrets`, by table. An import checks that they can be decrypted. */
  readonly sealedColumns?: Readonly<Record<string, readonly string[]>>;
  readonly provides?: readonly ProvidedPort[];
  // biome-ignore lint/suspicious/noExplicitAny: ports differ in what they offer.
  readonly needs?: readonly Port<any, any>[];
  readonly console?: readonly ConsoleView[];
  /** How resources of the catalogue are tagged and deleted. */
  readonly resourceKinds?: readonly ResourceKind[];
  readonly findRelated?: FindRelated;
  /** Pages for people below its mount. The console links to them. */
  readonly pages?: readonly ServicePage[];
  /** Demo data, in one transaction; seeding again must change nothing. */
  // biome-ignore lint/suspicious/noExplicitAny: tables differ.
  seed?(context: Context<any, State>): Promise<void>;
  /**
   * Makes the in-memory state of the service for one instance; several instances may live in one process. Handlers,
   * jobs, seed and console views find it as `context.state`. It is made on first use.
   */
  start?(instance: Instance): State;
  /**
   * The state is made at start if this setting is given, or if this table has rows, or if other nodes may add some.
   */
  readonly startsEarly?: { readonly setting: string } | { readonly table: string };
  /** Called after state was cleared or loaded: everything cached is invalid. */
  forget?(state: State): void;
  /** Called when the instance stops: closes workers and sockets. */
  stop?(state: State): Promise<void>;
};
export const defineService = <State>(service: Service<State>): Service => service;
