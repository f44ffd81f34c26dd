/** When each phase of a request ended: four readings of a clock, which together cost less than a microsecond. */

export type Phase = { readonly name: string; readonly ms: number };

/** On the machine's monotonic clock; 0 where a phase was not reached. */
export class Phases {
  readonly startedMs = performance.now();
  /** Who asks is known, and may. */
  decidedMs = 0;
  /** The body is here. */
  receivedMs = 0;
  handledMs = 0;
  /** Of what has a transaction around it. */
  committedMs = 0;

  /** How long each took, in their order. */
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
