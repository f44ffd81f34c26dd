/** Records that an assignment opened or closed: by the clock, or because its times changed. */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import { isOpen, timesOf } from "../domain/assignments.ts";
import type { ContributionsContext, State } from "../state.ts";
import { findAssignment } from "../store/assignments.ts";
import type { AssignmentRow, Tables } from "../tables/index.ts";
import { noteChange } from "./changes.ts";

type Turn = "assignment.opened" | "assignment.closed";
const TURNS = ["assignment.opened", "assignment.closed"] as const;
const dueAtMsOf = (row: AssignmentRow, turn: Turn): number | undefined => {
  const { startsAtMs, endsAtMs } = timesOf(row);
  return turn === "assignment.opened" ? startsAtMs : endsAtMs;
};

const noteTurn = (context: ContributionsContext, turn: Turn, row: AssignmentRow): Promise<void> =>
  noteChange(context, {
    type: turn,
    description: row.name,
    recordId: row.id,
    assignmentId: row.id,
    ownerId: row.owner_id,
    userId: undefined,
  });

const turnByClock = jobsFor<Tables, State>()({
  name: "contributions.turn",
  payload: Type.Object({
    assignment: Type.String(),
    turn: Type.Union(TURNS.map((turn) => Type.Literal(turn))),
  }),
  async run({ assignment, turn }, context) {
    const { db, account, clock } = context;
    const row = await findAssignment(db, account, assignment);
    const dueAtMs = row && dueAtMsOf(row, turn);
    if (row && dueAtMs !== undefined && dueAtMs <= clock.nowMs()) await noteTurn(context, turn, row);
  },
});

/** Call it when an assignment is created or its times change. Needs a transaction. */
export async function scheduleTurns(context: ContributionsContext, row: AssignmentRow): Promise<void> {
  for (const turn of TURNS) {
    const dueAtMs = dueAtMsOf(row, turn);
    const key = `${turn}:${row.id}`;
    if (dueAtMs !== undefined && dueAtMs > context.clock.nowMs())
      await context.enqueue(turnByClock, { assignment: row.id, turn }, { key, runAtMs: dueAtMs });
    else await context.cancelJob(turnByClock, key);
  }
}

/** For new times that open or close it at once. Needs a transaction. */
export async function noteTurnByHand(
  context: ContributionsContext,
  before: AssignmentRow,
  row: AssignmentRow,
): Promise<void> {
  const nowMs = context.clock.nowMs();
  const wasOpen = isOpen(timesOf(before), nowMs);
  const isOpenNow = isOpen(timesOf(row), nowMs);
  if (wasOpen !== isOpenNow)
    await noteTurn(context, isOpenNow ? "assignment.opened" : "assignment.closed", row);
}

export const openingJobs = [turnByClock];
