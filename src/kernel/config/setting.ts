/** One setting: a flag, a `MEDLEY_*` variable and a key of the configuration file at once. */

export class ConfigError extends Error {}

export type Setting<T = unknown> = {
  readonly flag: string;
  /** The key of the value among all settings. */
  readonly key: string;
  /** The name of the option for `startMedley`; default: the key. */
  readonly option?: string;
  /** Throws a ConfigError that says what is expected. */
  read(text: string): T;
  /** For `startMedley`, if the value may be an object instead of a text. Throws likewise. */
  readObject?(given: Readonly<Record<string, unknown>>): T;
  readonly help: string;
  /** A flag without a value. */
  readonly isSwitch?: boolean;
};

export const variableOf = (flag: string): string => `MEDLEY_${flag.toUpperCase().replaceAll("-", "_")}`;

/** The value of a service's setting; undefined if it is not set. `config` is the kernel's. */
export const settingOf = <T>(config: object, { key }: Setting<T>): T | undefined =>
  (config as Readonly<Record<string, unknown>>)[key] as T | undefined;
