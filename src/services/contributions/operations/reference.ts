/** Event types, and the change log. */
import { Type } from "@sinclair/typebox";
import { isoOf } from "#kernel/clock";
import { anyone, operationsFor } from "#kernel/operation";
import { EVENT_TYPES } from "../domain/events.ts";
import { errors } from "../errors.ts";
import type { State } from "../state.ts";
import { pageOfChanges } from "../store/changes.ts";
import type { Tables } from "../tables/index.ts";
import { signedInCallerOf } from "../views/caller.ts";
import { pageQuery } from "../wire/texts.ts";
import { checkPage, counted } from "./paging.ts";

const operation = operationsFor<Tables, State>();

const EventType = Type.Object({
  id: Type.String({ description: "The event's name.", examples: ["contribution.created"] }),
  name: Type.String({ description: "The same in words.", examples: ["A contribution came in"] }),
});
const listEventTypes = operation({
  id: "contributions.event-types.list",
  summary: "Lists the types of events",
  description: "The list is fixed.",
  method: "GET",
  path: "/event-types",
  permission: anyone,
  answers: { 200: Type.Array(EventType) },
  handle: () => Object.entries(EVENT_TYPES).map(([id, name]) => ({ id, name })),
});

const ChangeLogItem = Type.Object({
  date: Type.String({ format: "date-time", description: "When.", examples: ["2030-05-01T08:00:00Z"] }),
  title: Type.String({ description: "What happened.", examples: ["A contribution came in"] }),
  description: Type.String({ description: "To what.", examples: ["The bridge this morning"] }),
  type: Type.String({ description: "The event's name.", examples: ["contribution.created"] }),
  record: Type.String({
    description: "The id of what it happened to.",
    examples: ["1m7fqc7680000eyv1bw2px5"],
  }),
  user: Type.Optional(Type.String({ description: "Who did it.", examples: ["usr_1m7fqc7680000eyv1bw2px5"] })),
});
const listChanges = operation({
  id: "contributions.change-log.list",
  summary: "Lists events, newest first",
  description: "Events of the caller, and of what the caller owns or moderates.",
  method: "GET",
  path: "/change-log",
  permission: "contributions:ListChanges",
  query: Type.Object({
    assignment: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: "Only of this assignment.",
        examples: ["asg_1m7fqc7680000eyv1bw2px5"],
      }),
    ),
    ...pageQuery,
  }),
  answers: { 200: Type.Array(ChangeLogItem) },
  errors: [errors.invalid],
  async handle({ query: { assignment, page, pageSize } }, context) {
    const { db, account } = context;
    const wanted = { caller: signedInCallerOf(context), assignment };
    const { rows, total } = await pageOfChanges(db, account, wanted, checkPage({ page, pageSize }));
    const views = rows.map((row) => ({
      date: isoOf(Number(row.changed_at)),
      title: row.title,
      description: row.description,
      type: row.type,
      record: row.record_id,
      ...(row.user_id !== null && { user: row.user_id }),
    }));
    return counted(views, total);
  },
});

export const referenceOperations = [listEventTypes, listChanges];
