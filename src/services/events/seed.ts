/** Demo data; seeding again changes nothing. */
import type { EventsContext } from "./state.ts";

export async function seed(_context: EventsContext): Promise<void> {}
