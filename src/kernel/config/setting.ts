/** One setting: a flag, a `MEDLEY_*` variable and a key of the configuration file at once. */

export class ConfigError extends Error {}

export type Setting<T = unknown> = {
  readonly flag: string;
  /** Where the value is found among all settings. */
  readonly key: string;
  /** The option's name for `startMedley`; the key where absent. */
  readonly option?: string;
  /** Throws a ConfigError that says what is expected instead. */
  read(text: string): T;
  /** For what `startMedley` may be given in parts instead of as one text. Throws likewise. */
  readObject?(given: Readonly<Record<string, unknown>>): T;
  readonly help: string;
  /** On the command line it stands alone, without a value. */
  readonly isSwitch?: boolean;
};

export const variableOf = (flag: string): string => `MEDLEY_${flag.toUpperCase().replaceAll("-", "_")}`;

/** Of a setting that a service has declared; undefined where nobody has said anything. `config` is the kernel's. */
export const settingOf = <T>(config: object, { key }: Setting<T>): T | undefined =>
  (config as Readonly<Record<string, unknown>>)[key] as T | undefined;
