/** Medley as a library: a running instance for other people's tests. */
import type { CredentialsFile } from "#kernel/auth";
import { parseDurationMs } from "#kernel/clock";
import { type Config, ConfigError, defaultConfig, readOptions } from "#kernel/config";
import type { Service } from "#kernel/operation";
import { resetState, type StateFilter } from "#kernel/state";
import { startApp } from "./app.ts";
import { loadServices, type ServiceSettings, settings } from "./services.ts";

export type StartOptions = Partial<Omit<Config, "databaseUrl" | "dataFolder" | "url" | "token">> &
  ServiceSettings & {
    /** Keeps state in this folder; in memory when absent. */
    readonly data?: string;
    readonly database?: string;
    /** Only for instances with services of one's own. */
    readonly extraServices?: readonly Service[];
  };

export type Medley = {
  readonly url: string;
  readonly tlsUrl: string | undefined;
  readonly certificateAuthorityPem: string | undefined;
  /** The accounts with their plain secrets. */
  readonly credentials: CredentialsFile;
  readonly clock: {
    /** Epoch milliseconds. */
    nowMs(): number;
    freeze(): Promise<void>;
    /** `"36h"`, `"PT36H"` or milliseconds; answers what ran, up to a thousand runs. */
    advance(by: string | number): Promise<readonly { readonly name: string; readonly outcome: string }[]>;
    resume(): Promise<void>;
  };
  /** Clears state; accounts stay. */
  reset(filter?: StateFilter): Promise<void>;
  stop(): Promise<void>;
};

function configOf({ extraServices: _extra, ...options }: StartOptions): Config {
  const { data, database } = options;
  try {
    return {
      ...defaultConfig,
      port: 0,
      tlsPort: 0,
      logLevel: "error",
      provisioningSeconds: 0,
      memory: data === undefined && database === undefined,
      ...readOptions(options, settings),
    };
  } catch (error) {
    throw new ConfigError(`startMedley: ${(error as Error).message}`);
  }
}

export async function startMedley(options: StartOptions = {}): Promise<Medley> {
  const config = configOf(options);
  const services = await loadServices(config.services);
  const app = await startApp(config, [...services, ...(options.extraServices ?? [])]);
  const { clock } = app.kernel;
  return {
    url: app.url,
    tlsUrl: app.tlsUrl,
    certificateAuthorityPem: app.certificateAuthorityPem,
    credentials: app.credentials ?? { accounts: [] },
    clock: {
      nowMs: () => clock.nowMs(),
      freeze: () => app.travel.freeze(),
      resume: () => app.travel.resume(),
      async advance(by) {
        const byMs = typeof by === "number" ? by : parseDurationMs(by);
        if (byMs === undefined || byMs < 0) throw new RangeError(`"${by}" is not a duration`);
        return (await app.travel.advance(byMs)).log.ran;
      },
    },
    reset: (filter = {}) => resetState(app.kernel, filter),
    stop: () => app.stop(),
  };
}
