/** Rules only: no clock, SQL or HTTP. */
import { errors } from "./errors.ts";

/** Per account. */
const NOTES_MAX = 10_000;
export const COLOURS = ["blue", "green", "yellow"] as const;
export type Colour = (typeof COLOURS)[number];

export type Note = {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly colour: Colour;
  readonly remindAtMs: number | undefined;
};

export function checkRoom(count: number): void {
  if (count >= NOTES_MAX) throw errors.tooManyNotes(`An account has ${NOTES_MAX} notes at the most.`);
}

/** A reminder must lie ahead, unless it is the one that the note has had before. */
export function checkReminder(nowMs: number, wantedMs: number | undefined, beforeMs?: number): void {
  if (wantedMs === undefined || wantedMs === beforeMs || wantedMs > nowMs) return;
  throw errors.reminderInThePast("The time of the reminder is past.", { target: "remindAt" });
}
