/** Splits the output of a process into lines with a severity. */
import type { Readable } from "node:stream";

export type WrittenLine = { readonly severity: string; readonly text: string };

const LINE_LENGTH_MAX = 16_384;
/**
 * Backpressure: a process that writes more than this must wait, because reading it would block the server.
 */
const READ_AT_ONCE = 1_000_000;
const REST_MS = 200;
const SEVERITIES = new Set([
  "DEFAULT",
  "DEBUG",
  "INFO",
  "NOTICE",
  "WARNING",
  "ERROR",
  "CRITICAL",
  "ALERT",
  "EMERGENCY",
]);

/** A JSON line may contain its own severity, as in the public logging format. */
export function lineOf(text: string, severity: string): WrittenLine {
  if (!text.startsWith("{")) return { severity, text };
  try {
    const { severity: said, message } = JSON.parse(text) as { severity?: unknown; message?: unknown };
    const upper = typeof said === "string" ? said.toUpperCase() : "";
    return {
      severity: SEVERITIES.has(upper) ? upper : severity,
      text: typeof message === "string" ? message : text,
    };
  } catch {
    return { severity, text };
  }
}

export class LineReader {
  readonly #severity: string;
  readonly #wrote: (line: WrittenLine) => void;
  #rest = "";
  constructor(severity: string, wrote: (line: WrittenLine) => void) {
    this.#severity = severity;
    this.#wrote = wrote;
  }
  read(stream: Readable): void {
    stream.setEncoding("utf8");
    let read = 0;
    stream.on("data", (part: string) => {
      this.#take(part);
      read += part.length;
      if (read < READ_AT_ONCE) return;
      read = 0;
      stream.pause();
      setTimeout(() => stream.resume(), REST_MS);
    });
    stream.on("end", () => this.#flush());
    stream.on("error", () => this.#flush());
  }
  #take(part: string): void {
    const lines = (this.#rest + part).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#tell(line);
    if (this.#rest.length > LINE_LENGTH_MAX) this.#flush();
  }
  #flush(): void {
    this.#tell(this.#rest);
    this.#rest = "";
  }
  #tell(line: string): void {
    if (line !== "") this.#wrote(lineOf(line.slice(0, LINE_LENGTH_MAX), this.#severity));
  }
}
