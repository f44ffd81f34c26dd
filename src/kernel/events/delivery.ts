/** The job that sends one outbox message; `deliver.ts` runs it. */
import { Type } from "@sinclair/typebox";
import type { WorkKind } from "../operation/work.ts";

export const DELIVERY_ATTEMPTS_MAX = 6;
const payload = Type.Object({ outboxId: Type.String() });
export const delivery = {
  name: "medley.deliver",
  payload,
  attemptsMax: DELIVERY_ATTEMPTS_MAX,
} satisfies WorkKind<{ outboxId: string }>;
