/** When each phase of a request ended: four readings of a clock, less than a microsecond together. */

export type Phase = { readonly name: string; readonly ms: number };

/** On the machine's monotonic clock; 0 if a phase was not reached. */
export class Phases {
  readonly startedMs = performance.now();
  /** The caller is known and permitted. */
  decidedMs = 0;
  /** The body has arrived. */
  receivedMs = 0;
  handledMs = 0;
  /** For operations with a transaction. */
  committedMs = 0;

  /** The duration of each, in order. */
  list(durationMs: number): Phase[] {
    const ends: readonly (readonly [name: string, endMs: number])[] = [
      ["decided", this.decidedMs],
      ["received", this.receivedMs],
      ["handled", this.handledMs],
      ["committed", this.committedMs],
      ["answered", this.startedMs + durationMs],
    ];
    let beganMs = this.startedMs;
    const phases: Phase[] = [];
    for (const [name, endMs] of ends) {
      if (endMs === 0) continue;
      phases.push({ name, ms: Math.round(Math.max(0, endMs - beganMs) * 1000) / 1000 });
      beganMs = endMs;
    }
    return phases;
  }
}
