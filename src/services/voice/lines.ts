/** The calls that an instance has at a carrier at this moment. */
import type { Happening } from "./domain/calls.ts";

/** A call keeps one of the instance's sixteen places for durable work: other work must not starve. */
const LINES_MAX = 8;
const ENDED_KEPT_MAX = 100;

/** One call at a carrier, and what was heard of it so far. */
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
  /** Calls that are over while their end could not be noted yet. */
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
  /** `converse` must resolve only when everything that was heard has been noted. */
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
