/** Imports that run on this node at the moment, and the console's table of them. */
import { isoOf } from "../clock/clock.ts";
import type { ConsoleView } from "./console-view.ts";
import type { Context } from "./context.ts";

export const IMPORTS_UNDER_WAY = "Imports under way";

type Import = { readonly account: string; readonly what: string; readonly begunAtMs: number };
export type Reached = { readonly done: number; readonly of: number };
type Row = readonly [what: string, begun: string, done: string, progress: string];

export const importRow = (what: string, begunAtMs: number, { done, of }: Reached): Row => [
  what,
  isoOf(begunAtMs),
  `${done} of ${of}`,
  `${of === 0 ? 0 : Math.floor((100 * Math.min(done, of)) / of)} %`,
];

export class ImportsUnderWay {
  readonly #running = new Map<Import, Reached>();
  /** Does the work, and shows how far it is until it has ended. */
  async during<T>(
    { account, clock }: Pick<Context, "account" | "clock">,
    what: string,
    work: (reach: (reached: Reached) => void) => Promise<T>,
  ): Promise<T> {
    const one: Import = { account, what, begunAtMs: clock.nowMs() };
    this.#running.set(one, { done: 0, of: 0 });
    try {
      return await work((reached) => this.#running.set(one, reached));
    } finally {
      this.#running.delete(one);
    }
  }
  rowsOf(account: string): Row[] {
    return [...this.#running]
      .filter(([one]) => one.account === account)
      .map(([{ what, begunAtMs }, reached]) => importRow(what, begunAtMs, reached));
  }
}

/** It is shown while there are imports. */
export const importsView = (rows: ConsoleView["rows"]): ConsoleView => ({
  title: IMPORTS_UNDER_WAY,
  columns: ["Import", "Begun", "Done", "Progress"],
  isShownEmpty: false,
  rows,
});
