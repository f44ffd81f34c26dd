/** Active calls of an instance at the carrier. */
import type { Happening } from "./domain/calls.ts";

/** A call occupies one of the instance's 16 job slots. The limit leaves slots for other jobs. */
const LINES_MAX = 8;
const ENDED_KEPT_MAX = 100;

/** One active call and its events so far. */
export class Line {
  readonly heard: Happening[] = [];
  readonly #controller = new AbortController();
  get signal(): AbortSignal {
    return this.#controller.signal;
  }
  hangUp(): void {
    this.#controller.abort();
  }
}

export class Lines {
  readonly #busy = new Map<string, { line: Line; done: Promise<unknown> }>();
  /** Ended calls whose end could not be recorded yet. */
  readonly #ended = new Map<string, Line>();

  get areFull(): boolean {
    return this.#busy.size >= LINES_MAX;
  }
  isBusyWith(messageId: string): boolean {
    return this.#busy.has(messageId);
  }
  findEnded(messageId: string): Line | undefined {
    return this.#ended.get(messageId);
  }
  /** `converse` must resolve only after all events were recorded. */
  async hold(messageId: string, converse: (line: Line) => Promise<void>): Promise<void> {
    const line = new Line();
    const done = converse(line);
    this.#busy.set(messageId, { line, done });
    this.#ended.set(messageId, line);
    try {
      await done;
      this.#ended.delete(messageId);
    } finally {
      this.#busy.delete(messageId);
      const [oldest] = this.#ended.keys();
      if (oldest !== undefined && this.#ended.size > ENDED_KEPT_MAX) this.#ended.delete(oldest);
    }
  }
  forget(messageId: string): void {
    this.#ended.delete(messageId);
  }
  async close(): Promise<void> {
    const calls = [...this.#busy.values()];
    for (const { line } of calls) line.hangUp();
    await Promise.allSettled(calls.map(({ done }) => done));
  }
}
