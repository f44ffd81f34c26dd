/** Records every change in the change log, and publishes it as an event. */
import { isoOf } from "#kernel/clock";
import { cloudEvents } from "#ports/cloud-events";
import { EVENT_TYPES, type EventType } from "../domain/events.ts";
import type { ContributionsContext } from "../state.ts";
import { insertChange } from "../store/changes.ts";
import type { ChangeRow } from "../tables/index.ts";
import { notifySubscribers } from "./notifications.ts";

export type Change = {
  readonly type: EventType;
  /** The subject of the change, in the maker's words. */
  readonly description: string;
  readonly recordId: string;
  readonly assignmentId?: string | undefined;
  readonly ownerId: string;
  readonly userId: string | undefined;
};

/** Needs a transaction. */
export async function noteChange(context: ContributionsContext, change: Change): Promise<void> {
  const { db, account, ids, clock } = context;
  const row: ChangeRow = {
    account,
    id: ids.sortable(),
    type: change.type,
    title: EVENT_TYPES[change.type],
    description: change.description,
    record_id: change.recordId,
    assignment_id: change.assignmentId ?? null,
    owner_id: change.ownerId,
    user_id: change.userId ?? null,
    changed_at: clock.nowMs(),
  };
  const event = {
    id: row.id,
    source: `/contributions/1/${change.type.split(".")[0]}s`,
    type: `contributions.${change.type}`,
    specversion: "1.0",
    time: isoOf(row.changed_at),
    subject: change.recordId,
    datacontenttype: "application/json",
    data: {
      id: change.recordId,
      assignment: change.assignmentId,
      title: row.title,
      description: row.description,
    },
  } as const;
  await Promise.all([
    insertChange(db, row),
    context.port(cloudEvents).publish(context, event),
    notifySubscribers(context, row),
  ]);
}
