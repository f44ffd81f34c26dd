/** Writers and schedulers that never rest, with a record of what was acknowledged, to be held against what is there. */
import { eventually, pause } from "./eventually.ts";
import { sendSimple } from "./send-http.ts";

const WRITERS = 4;
const PAUSE_AFTER_REFUSAL_MS = 50;
const headers = { authorization: "Bearer first-token-0001", "content-type": "application/json" };

export class NotesUnderLoad {
  readonly #urls: readonly string[];
  readonly #path: string;
  /** Acknowledged notes, and those among them whose counting was acknowledged as well. */
  readonly #written = new Set<string>();
  readonly #scheduled = new Set<string>();
  readonly statuses = new Map<number, number>();
  /** Of acknowledged writes; newest last. */
  readonly #acknowledgedMs: number[] = [];
  readonly #byNode: number[];
  #running: Promise<unknown> = Promise.resolve();
  #over = false;

  constructor(urls: readonly string[], path = "/sample/notes") {
    this.#urls = urls;
    this.#path = path;
    this.#byNode = urls.map(() => 0);
  }
  get acknowledged(): number {
    return this.#written.size + this.#scheduled.size;
  }
  begin(): void {
    const writers = this.#urls.flatMap((_, node) =>
      Array.from({ length: WRITERS }, (_one, writer) => this.#write(node, `n${node}-w${writer}`)),
    );
    this.#running = Promise.all(writers);
  }
  /** Until each node has acknowledged so many more. */
  async moreOfEach(howMany: number): Promise<void> {
    const before = [...this.#byNode];
    await eventually(
      () => this.#byNode.every((now, node) => now >= (before[node] ?? 0) + howMany),
      "more acknowledged writes of each node",
    );
  }
  /** When the first write after the given instant was acknowledged. */
  firstAcknowledgedMs(sinceMs: number): number | undefined {
    return this.#acknowledgedMs.find((ms) => ms > sinceMs);
  }
  async end(): Promise<void> {
    this.#over = true;
    await this.#running;
  }
  /** What was acknowledged and is not there, or not as often as it should be. */
  async compare(): Promise<{ missing: string[]; notRun: string[]; runTwice: string[] }> {
    const counts = await this.#readAll();
    const countOf = (id: string) => counts.get(id) ?? 0;
    return {
      missing: [...this.#written].filter((id) => !counts.has(id)),
      notRun: [...this.#scheduled].filter((id) => countOf(id) === 0),
      runTwice: [...counts.keys()].filter((id) => countOf(id) > 1),
    };
  }

  async #write(node: number, prefix: string): Promise<void> {
    for (let i = 0; !this.#over; i += 1) {
      const id = `${prefix}-${i}`;
      if ((await this.#send(node, "PUT", `/${id}`, { text: "x" })) !== 201) continue;
      this.#written.add(id);
      this.#acknowledgedMs.push(performance.now());
      this.#byNode[node] = (this.#byNode[node] ?? 0) + 1;
      // Scheduled once, whatever comes of it: who tried again could not tell one that was made from one that was not.
      if (i % 4 === 0 && (await this.#send(node, "POST", `/${id}:count`, { delayMs: 300 })) === 202)
        this.#scheduled.add(id);
    }
  }
  async #send(node: number, method: string, path: string, body: unknown): Promise<number> {
    const url = `${this.#urls[node]}${this.#path}${path}`;
    const status = await sendSimple({ url, method, headers, body: JSON.stringify(body) }).then(
      (answer) => answer.status,
      () => 0,
    );
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (status >= 300 || status === 0) await pause(PAUSE_AFTER_REFUSAL_MS);
    return status;
  }
  async #readAll(): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    for (let next: string | undefined = ""; next !== undefined; ) {
      const query = `?size=100${next ? `&next=${encodeURIComponent(next)}` : ""}`;
      const answer = await fetch(`${this.#urls[0]}${this.#path}${query}`, { headers });
      if (answer.status !== 200) throw new Error(`reading answered ${answer.status}`);
      const page = (await answer.json()) as { notes: { id: string; count: number }[]; next?: string };
      for (const { id, count } of page.notes) counts.set(id, count);
      next = page.next;
    }
    return counts;
  }
}
