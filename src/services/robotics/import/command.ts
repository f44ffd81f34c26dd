/** `medley robotics import`: parses files locally and sends them to the server in batches. */
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { type CommandInput, type CommandServer, FailedError, UsageError } from "#kernel/manifest";
import type { Finding, Rows } from "../domain/archive.ts";
import { type Source, sourcesAt } from "./sources.ts";

const BATCH_BYTES = 8 * 1024 * 1024;
/** Retry delays while the server is unavailable, for example during a restart. */
const RETRIES_SECONDS = [1, 2, 4, 8, 15];
const IGNORED_TOLD_MAX = 10;

type Entered = {
  readonly events: number;
  readonly matches: number;
  readonly teams: number;
  readonly refusedLines: number;
  readonly refusedEntries: number;
  readonly refusals: readonly Refusal[];
};
type Refusal = {
  readonly line: number;
  readonly says: string;
  readonly part?: string;
  readonly index?: number;
};
/** Origin of a line, to report rejected lines and entries. */
type Origin = { readonly name: string; readonly rows: Rows };
function placeOf({ name, rows }: Origin, { part, index = 0 }: Refusal): { file: string; line: number } {
  const row = part === undefined ? undefined : rows[part];
  return row ? { file: row.file, line: row.lines[index] ?? 0 } : { file: name, line: 0 };
}

/** Progress on a terminal, in one line that is overwritten. */
function progressOn(stream: NodeJS.WriteStream) {
  return (text: string): void => {
    if (stream.isTTY) stream.write(`\r\u001b[K${text}`);
  };
}

class Run {
  readonly #server: CommandServer;
  readonly counts = { files: 0, rows: 0, events: 0, matches: 0, teams: 0, refused: 0 };
  readonly findings: Finding[] = [];
  #lines: string[] = [];
  #origins: Origin[] = [];
  #bytes = 0;

  constructor(server: CommandServer) {
    this.#server = server;
  }
  async take(source: Source): Promise<void> {
    const { value, lines, findings, rows = {} } = await source.read();
    this.counts.files += 1;
    this.counts.rows += lines;
    for (const finding of findings) this.findings.push(finding);
    for (const line of value) {
      const text = JSON.stringify(line);
      this.#lines.push(text);
      this.#origins.push({ name: source.name, rows });
      this.#bytes += text.length;
    }
    if (this.#bytes >= BATCH_BYTES) await this.send();
  }
  async send(): Promise<void> {
    if (this.#lines.length === 0) return;
    const text = `${this.#lines.join("\n")}\n`;
    const origins = this.#origins;
    this.#lines = [];
    this.#origins = [];
    this.#bytes = 0;
    const entered = await this.#enter(text);
    this.counts.events += entered.events;
    this.counts.matches += entered.matches;
    this.counts.teams += entered.teams;
    this.counts.refused += entered.refusedLines + entered.refusedEntries;
    for (const refusal of entered.refusals) {
      const origin = origins[refusal.line - 1] ?? { name: "", rows: {} };
      this.findings.push({ ...placeOf(origin, refusal), says: `refused: ${refusal.says}` });
    }
  }
  /** Entries are idempotent, so a batch is safe to retry. */
  async #enter(text: string): Promise<Entered> {
    for (const seconds of [...RETRIES_SECONDS, undefined])
      try {
        const body = Readable.from([text], { objectMode: false });
        return (await this.#server.call("POST", "/robotics/v3.0/import", body)) as Entered;
      } catch (error) {
        if (!(error instanceof FailedError)) throw error;
        if (seconds === undefined) {
          const { events } = this.counts;
          const after = `${events} times an event was entered; the same command again goes on`;
          throw new FailedError(`${error.message} (${after})`);
        }
        await sleep(seconds * 1000);
      }
    throw new FailedError("the server does not answer");
  }
}

const told = ({ file, line, says }: Finding): string => `  ${file}${line > 0 ? `:${line}` : ""}: ${says}`;
function reportOf(run: Run, ignored: readonly string[]): string {
  const { counts, findings } = run;
  const lines = [
    `${counts.rows} rows read from ${counts.files} sources: ${counts.events} times an event, ${counts.matches} matches, ${counts.teams} teams`,
  ];
  if (counts.refused > 0) lines.push(`${counts.refused} were refused`);
  if (findings.length > 0)
    lines.push(`not understood, or read otherwise than it stands there (${findings.length}):`);
  for (const finding of findings) lines.push(told(finding));
  if (ignored.length > 0)
    lines.push(
      `files of other kinds (${ignored.length}): ${ignored.slice(0, IGNORED_TOLD_MAX).join(", ")}${ignored.length > IGNORED_TOLD_MAX ? ", …" : ""}`,
    );
  return `${lines.join("\n")}\n`;
}

export async function run({ words, withServer }: CommandInput): Promise<number> {
  const [verb, place, ...more] = words;
  if (verb !== "import" || place === undefined || more.length > 0)
    throw new UsageError("say: medley robotics import FOLDER|FILE");
  const { sources, ignored } = await sourcesAt(place);
  if (sources.length === 0) throw new UsageError(`there is nothing to read at ${place}`);
  const progress = progressOn(process.stderr);
  const done = await withServer(
    async (server) => {
      const entering = new Run(server);
      for (const [at, source] of sources.entries()) {
        await entering.take(source);
        progress(
          `${at + 1} of ${sources.length}: ${source.name}, ${entering.counts.matches} matches entered`,
        );
      }
      await entering.send();
      progress("");
      return entering;
    },
    { begins: true },
  );
  process.stdout.write(reportOf(done, ignored));
  return done.counts.refused > 0 ? 1 : 0;
}
