/** How instants and ids are written. */
import { isoOf } from "#kernel/clock";

export const idOf = (id: number): { Id: { id: number } } => ({ Id: { id } });
/** `2026-11-15 23:52:08.123000`, in UTC. */
export const timeText = (ms: number): string => `${isoOf(ms).slice(0, 23).replace("T", " ")}000`;
