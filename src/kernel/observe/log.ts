/** One JSON line per event on standard error. Only named fields are written, so secrets never reach it. */
export type Log = {
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
};

const LEVELS = { silent: 0, error: 1, info: 2, debug: 3 };

export function createLog(
  level: keyof typeof LEVELS,
  write: (line: string) => void = writeToStandardError,
): Log {
  const at = (name: "error" | "info" | "debug") =>
    LEVELS[name] > LEVELS[level]
      ? () => {}
      : (message: string, fields: Readonly<Record<string, unknown>> = {}) =>
          write(JSON.stringify({ time: new Date().toISOString(), level: name, message, ...fields }));
  return { error: at("error"), info: at("info"), debug: at("debug") };
}

function writeToStandardError(line: string): void {
  process.stderr.write(`${line}\n`);
}
