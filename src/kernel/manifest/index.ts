/** What a service says of itself without being loaded: its settings, and what it adds to the command line. */
import type { Config } from "../config/config.ts";
import type { Finding } from "../config/findings.ts";
import type { Setting } from "../config/setting.ts";

export { packageVersion } from "./version.ts";

/** Misunderstood: exit code 2. */
export class UsageError extends Error {}
/** Understood, but it could not be done: exit code 1. */
export class FailedError extends Error {}

export type FlagKind = "text" | "switch" | "list";
export type CommandInput = {
  readonly config: Config;
  /** What follows the service's name, without flags. */
  readonly words: readonly string[];
  text(flag: string): string | undefined;
  list(flag: string): readonly string[];
  has(flag: string): boolean;
  /** The running server, or one that runs for just this command; `begins`: also where nothing was ever served from the folder. */
  withServer<T>(
    work: (server: CommandServer) => Promise<T>,
    options?: { readonly begins?: boolean },
  ): Promise<T>;
};
/** A server as a service's command sees it; `token` is an admin's. */
export type CommandServer = {
  readonly url: string;
  readonly token: string;
  /** Sends JSON, or a stream as it is, to a path that begins with a mount; answers the JSON that came back. */
  call(method: string, path: string, body?: unknown): Promise<unknown>;
};

/** `medley <service> …`. */
export type ServiceCommand = {
  /** Each begins with the service's name: `podcasts import FILE`. */
  readonly usage: readonly string[];
  readonly summary: string;
  readonly flags?: Readonly<Record<string, FlagKind>>;
  /** Answers the exit code. */
  run(input: CommandInput): Promise<number>;
};

export type Manifest = {
  readonly settings?: readonly Setting[];
  /** Variables that usual clients read, for `medley credentials --env`. */
  environment?(url: string): Readonly<Record<string, string>>;
  /** What `medley doctor` should know of the machine. */
  check?(config: Config): Promise<readonly Finding[]>;
  readonly command?: ServiceCommand;
};
