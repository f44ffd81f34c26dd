/** Medley as a library: a running instance for tests of other projects. */
import { parseDurationMs } from "#kernel/clock";
import { type Config, ConfigError, defaultConfig, readOptions } from "#kernel/config";
import type { Service } from "#kernel/operation";
import { resetState } from "#kernel/state";
import type { StartOptions as LibraryOptions, Medley } from "../library.ts";
import { startApp } from "./app.ts";
import { loadServices, settings } from "./services.ts";

export type { Medley } from "../library.ts";

/** Options of the library. `extraServices` is only for Medley's own tests. */
export type StartOptions = LibraryOptions & { readonly extraServices?: readonly Service[] };

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
