/** Demo data; seeding again changes nothing. */
import type { Context } from "#kernel/operation";
import type { Colour } from "./domain.ts";
import type { State } from "./state.ts";
import { insertNote } from "./store.ts";
import type { Tables } from "./tables.ts";

const NOTES: readonly { id: string; title: string; text: string; colour: Colour }[] = [
  { id: "demo-1", title: "Water the plants", text: "All but the cactus.", colour: "green" },
  { id: "demo-2", title: "Bread", text: "Two rye, one wheat.", colour: "yellow" },
  { id: "demo-3", title: "Call Ann", text: "About the boat, before the weekend.", colour: "blue" },
];

export async function seed({ db, account, clock }: Context<Tables, State>): Promise<void> {
  const nowMs = clock.nowMs();
  for (const note of NOTES)
    await insertNote(db, account, { ...note, remindAtMs: undefined, createdAtMs: nowMs, updatedAtMs: nowMs });
}
