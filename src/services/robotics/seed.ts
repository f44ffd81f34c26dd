/** Demo data; seeding again changes nothing. */
import type { RoboticsContext } from "./state.ts";

export async function seed(_context: RoboticsContext): Promise<void> {}
