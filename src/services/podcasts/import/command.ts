/** `medley podcasts import`: uploads feed files, submits URLs and prints the results. */
import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { type CommandInput, type CommandServer, UsageError } from "#kernel/manifest";
import { MOUNT } from "../domain/mount.ts";
import { type Source, sourcesAt } from "./sources.ts";

const DECIDED_WITHIN_MS = 120_000;
const PAUSE_MS = 500;
const TOLD_MAX = 50;

type Answer = { readonly status: string; readonly reason: string };
type Submissions = { readonly submissions: readonly (Answer & { readonly rss: string })[] };

class Run {
  readonly #server: CommandServer;
  readonly counts = { found: 0, rejected: 0, "in review": 0 };
  readonly refusals: string[] = [];
  readonly ignored: string[] = [];
  readonly #waiting = new Set<string>();

  constructor(server: CommandServer) {
    this.#server = server;
  }
  async take(source: Source): Promise<void> {
    if (source.kind === "other") this.ignored.push(source.name);
    else if (source.kind === "feed") await this.#handOver(source.name, source.bytes);
    else for (const address of source.addresses) await this.#submit(address);
  }
  async #handOver(name: string, bytes: Buffer): Promise<void> {
    const body = Readable.from([bytes], { objectMode: false });
    const path = `${MOUNT}/feeds?name=${encodeURIComponent(name)}`;
    this.#note(name, (await this.#server.call("POST", path, body)) as Answer);
  }
  async #submit(rss: string): Promise<void> {
    const answer = (await this.#server.call("POST", `${MOUNT}/podcasts/submit`, { rss })) as Answer;
    if (answer.status === "in review") this.#waiting.add(rss);
    else this.#note(rss, answer);
  }
  #note(name: string, { status, reason }: Answer): void {
    if (status === "found") this.counts.found += 1;
    else {
      this.counts.rejected += 1;
      this.refusals.push(`${name}: ${reason}`);
    }
  }
  /** Jobs read the feeds. After the timeout they continue without this command. */
  async settle(): Promise<void> {
    for (let waitedMs = 0; this.#waiting.size > 0 && waitedMs < DECIDED_WITHIN_MS; waitedMs += PAUSE_MS) {
      const { submissions } = (await this.#server.call("GET", `${MOUNT}/submissions`)) as Submissions;
      for (const one of submissions)
        if (one.status !== "in review" && this.#waiting.delete(one.rss)) this.#note(one.rss, one);
      if (this.#waiting.size > 0) await setTimeout(PAUSE_MS);
    }
    this.counts["in review"] = this.#waiting.size;
  }
}

function reportOf({ counts, refusals, ignored }: Run): string {
  const lines = [
    `${counts.found} podcasts listed, ${counts.rejected} rejected, ${counts["in review"]} in review`,
  ];
  lines.push(...refusals.slice(0, TOLD_MAX).map((line) => `  ${line}`));
  if (refusals.length > TOLD_MAX) lines.push(`  and ${refusals.length - TOLD_MAX} more`);
  if (ignored.length > 0) lines.push(`neither feeds nor lists of feeds: ${ignored.slice(0, 10).join(", ")}`);
  return `${lines.join("\n")}\n`;
}

export async function run({ words, withServer }: CommandInput): Promise<number> {
  const [verb, place, ...more] = words;
  if (verb !== "import" || place === undefined || more.length > 0)
    throw new UsageError("say: medley podcasts import FILE|FOLDER");
  const done = await withServer(
    async (server) => {
      const importing = new Run(server);
      for await (const source of sourcesAt(place)) await importing.take(source);
      await importing.settle();
      return importing;
    },
    { begins: true },
  );
  process.stdout.write(reportOf(done));
  return done.counts.rejected > 0 ? 1 : 0;
}
