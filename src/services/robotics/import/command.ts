/** `medley robotics import`: reads files here, and has the server enter them in batches. */
import { Readable } from "node:stream";
import { type CommandInput, type CommandServer, UsageError } from "#kernel/manifest";
import type { Finding } from "../domain/archive.ts";
import { type Source, sourcesAt } from "./sources.ts";

const BATCH_BYTES = 8 * 1024 * 1024;
const FINDINGS_TOLD_MAX = 50;
const IGNORED_TOLD_MAX = 10;

type Entered = {
  readonly events: number;
  readonly matches: number;
  readonly teams: number;
  readonly refusedLines: number;
  readonly refusals: readonly { readonly line: number; readonly says: string }[];
};

/** Where progress is told: a line that is written over, where somebody is looking. */
function progressOn(stream: NodeJS.WriteStream) {
  return (text: string): void => {
    if (stream.isTTY) stream.write(`\r\u001b[K${text}`);
  };
}

class Run {
  readonly #server: CommandServer;
  readonly counts = { files: 0, rows: 0, events: 0, matches: 0, teams: 0, refusedLines: 0 };
  readonly findings: Finding[] = [];
  #lines: string[] = [];
  /** Whose line each is, to name it where it is refused. */
  #names: string[] = [];
  #bytes = 0;

  constructor(server: CommandServer) {
    this.#server = server;
  }
  async take(source: Source): Promise<void> {
    const { value, lines, findings } = await source.read();
    this.counts.files += 1;
    this.counts.rows += lines;
    this.findings.push(...findings);
    for (const line of value) {
      const text = JSON.stringify(line);
      this.#lines.push(text);
      this.#names.push(source.name);
      this.#bytes += text.length;
    }
    if (this.#bytes >= BATCH_BYTES) await this.send();
  }
  async send(): Promise<void> {
    if (this.#lines.length === 0) return;
    const body = Readable.from([`${this.#lines.join("\n")}\n`], { objectMode: false });
    const names = this.#names;
    this.#lines = [];
    this.#names = [];
    this.#bytes = 0;
    const entered = (await this.#server.call("POST", "/robotics/v3.0/import", body)) as Entered;
    this.counts.events += entered.events;
    this.counts.matches += entered.matches;
    this.counts.teams += entered.teams;
    this.counts.refusedLines += entered.refusedLines;
    for (const { line, says } of entered.refusals)
      this.findings.push({ file: names[line - 1] ?? "", line: 0, says: `refused: ${says}` });
  }
}

const told = ({ file, line, says }: Finding): string => `  ${file}${line > 0 ? `:${line}` : ""}: ${says}`;
function reportOf(run: Run, ignored: readonly string[]): string {
  const { counts, findings } = run;
  const lines = [
    `${counts.rows} rows read from ${counts.files} sources: ${counts.events} times an event, ${counts.matches} matches, ${counts.teams} teams`,
  ];
  if (counts.refusedLines > 0) lines.push(`${counts.refusedLines} were refused`);
  if (findings.length > 0)
    lines.push(`not understood, or read otherwise than it stands there (${findings.length}):`);
  lines.push(...findings.slice(0, FINDINGS_TOLD_MAX).map(told));
  if (findings.length > FINDINGS_TOLD_MAX) lines.push(`  and ${findings.length - FINDINGS_TOLD_MAX} more`);
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
  return done.counts.refusedLines > 0 ? 1 : 0;
}
