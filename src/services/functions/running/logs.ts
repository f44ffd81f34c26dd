/** Collects log lines of functions and writes them to the database a few times a second. */
import type { LogLine } from "../store/index.ts";
import type { WrittenLine } from "./lines.ts";

const FLUSH_MS = 200;
/** Lines beyond this queue length are counted and dropped. */
const WAITING_MAX = 2000;
const BATCH_MAX = 200;
const LISTENERS_MAX = 50;
const SIGN_OF_LIFE_MS = 15_000;

export type LogTarget = { readonly account: string; readonly slug: string; readonly revision: string };
type Batch = { readonly target: LogTarget; readonly lines: LogLine[]; dropped: number };
export type SaveLines = (target: LogTarget, lines: readonly LogLine[]) => Promise<void>;
type Listener = (line: LogLine) => void;

export class FunctionLogs {
  readonly #batches = new Map<string, Batch>();
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #save: SaveLines;
  readonly #nextId: () => string;
  readonly #failed: (error: unknown) => void;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> | undefined;

  constructor(nextId: () => string, save: SaveLines, failed: (error: unknown) => void) {
    this.#nextId = nextId;
    this.#save = save;
    this.#failed = failed;
  }
  add(target: LogTarget, instance: string, line: WrittenLine, atMs: number): void {
    if (this.#isClosed) return;
    const batch = this.#batches.get(target.slug) ?? { target, lines: [], dropped: 0 };
    this.#batches.set(target.slug, batch);
    if (batch.lines.length >= WAITING_MAX) {
      batch.dropped += 1;
      return;
    }
    const { severity, text } = line;
    const kept: LogLine = { id: this.#nextId(), atMs, severity, text, revision: target.revision, instance };
    batch.lines.push(kept);
    for (const listener of this.#listeners.get(target.slug) ?? []) listener(kept);
    this.#timer ??= setTimeout(() => this.flush().catch(this.#failed), FLUSH_MS).unref();
  }
  /** Lines of this node as they are written, and undefined now and then as a sign of life. None where too many listen already. */
  follow(slug: string): AsyncGenerator<LogLine | undefined> | undefined {
    if ((this.#listeners.get(slug)?.size ?? 0) >= LISTENERS_MAX) return undefined;
    return this.#live(slug);
  }
  /** Subscribes only when the reader starts: a stream that is never read would never end. */
  async *#live(slug: string): AsyncGenerator<LogLine | undefined> {
    const waiting: LogLine[] = [];
    let wake = () => {};
    const listener: Listener = (line) => {
      if (waiting.length < WAITING_MAX) waiting.push(line);
      wake();
    };
    const listeners = this.#listeners.get(slug) ?? new Set();
    // Others may have begun to listen since it was asked.
    if (listeners.size >= LISTENERS_MAX) return;
    this.#listeners.set(slug, listeners.add(listener));
    try {
      for (;;) {
        if (waiting.length === 0)
          await new Promise<void>((resolve) => {
            const timer = setTimeout(resolve, SIGN_OF_LIFE_MS).unref();
            wake = () => {
              clearTimeout(timer);
              resolve();
            };
          });
        yield waiting.shift();
      }
    } finally {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(slug);
    }
  }
  /** When it resolves, all lines so far are stored. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#saving;
    this.#saving = this.#saveAll();
    await this.#saving;
  }
  /** Later lines are dropped. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.flush().catch(this.#failed);
  }
  async #saveAll(): Promise<void> {
    for (const [slug, { target, lines, dropped }] of [...this.#batches]) {
      this.#batches.delete(slug);
      if (dropped > 0) lines.push(this.#noteDropped(target, dropped, lines.at(-1)?.atMs ?? 0));
      for (let start = 0; start < lines.length; start += BATCH_MAX)
        await this.#save(target, lines.slice(start, start + BATCH_MAX));
    }
  }
  #noteDropped({ revision }: LogTarget, dropped: number, atMs: number): LogLine {
    const text = `${dropped} lines came too fast and were left out.`;
    return { id: this.#nextId(), atMs, severity: "WARNING", text, revision, instance: "" };
  }
}
