/** The stored body of a draft. */

import { Type } from "@sinclair/typebox";
import { type KeptOf, recordKind } from "../../book/index.ts";
import { Rhythm } from "../../money/index.ts";
import { Entry } from "./orders.ts";

export const DraftKept = recordKind(
  ["draft-payment"],
  Type.Object({
    entries: Type.Array(Entry),
    acceptsNeeded: Type.Number(),
    creatorId: Type.Number(),
    said: Type.Array(
      Type.Object({
        userId: Type.Number(),
        status: Type.String(),
      }),
    ),
    rhythm: Type.Optional(Rhythm),
    outcome: Type.Optional(
      Type.Object({
        paymentId: Type.Optional(Type.Number()),
        batchId: Type.Optional(Type.Number()),
      }),
    ),
    scheduleId: Type.Optional(Type.Number()),
    /** The id of the service provider's order that this draft belongs to. */
    providedId: Type.Optional(Type.Number()),
  }),
);
export type DraftKept = KeptOf<typeof DraftKept>;
