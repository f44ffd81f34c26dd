/** What a service declares without being loaded: its settings, and its additions to the command line. */
import type { Config } from "../config/config.ts";
import type { Finding } from "../config/findings.ts";
import type { Setting } from "../config/setting.ts";

export { packageVersion } from "./version.ts";

/** A usage error: exit code 2. */
export class UsageError extends Error {}
/** A failure: exit code 1. */
export class FailedError extends Error {}

export type FlagKind = "text" | "switch" | "list";
export type CommandInput = {
  readonly config: Config;
  /** The words after the service's name, without flags. */
  readonly words: readonly string[];
  text(flag: string): string | undefined;
  list(flag: string): readonly string[];
  has(flag: string): boolean;
  /** The running server, or one for just this command. `begins`: also if nothing was ever served from the folder. */
  withServer<T>(
    work: (server: CommandServer) => Promise<T>,
    options?: { readonly begins?: boolean },
  ): Promise<T>;
};
/** A server as a command of a service sees it; `token` belongs to an admin. */
export type CommandServer = {
  readonly url: string;
  readonly token: string;
  /** Sends JSON, or a stream as it is, to a path that begins with a mount. Returns the JSON of the answer. */
  call(method: string, path: string, body?: unknown): Promise<unknown>;
};

/** `medley <service> …`. */
export type ServiceCommand = {
  /** Each begins with the service's name: `podcasts import FILE`. */
  readonly usage: readonly string[];
  readonly summary: string;
  readonly flags?: Readonly<Record<string, FlagKind>>;
  /** Returns the exit code. */
  run(input: CommandInput): Promise<number>;
};

export type Manifest = {
  readonly settings?: readonly Setting[];
  /** Variables of common clients, for `medley credentials --env`. */
  environment?(url: string): Readonly<Record<string, string>>;
  /** Checks for `medley doctor`. */
  check?(config: Config): Promise<readonly Finding[]>;
  readonly command?: ServiceCommand;
};
