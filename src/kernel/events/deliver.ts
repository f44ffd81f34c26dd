/** Sends one outbox message over HTTP and records the result. */
import { createHmac } from "node:crypto";
import type { Context } from "../operation/context.ts";
import { type JobAttempt, jobsFor } from "../operation/job.ts";
import type { KernelTables, OutboxRow } from "../runtime/tables.ts";
import { DELIVERY_ATTEMPTS_MAX, delivery } from "./delivery.ts";

const TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 64 * 1024;

class DeliveryFailed extends Error {}

function signedHeaders(row: OutboxRow, secret: string, timestampSeconds: number): Record<string, string> {
  const content = `${row.id}.${timestampSeconds}.${row.body}`;
  return {
    "webhook-id": row.id,
    "webhook-timestamp": String(timestampSeconds),
    "webhook-signature": `v1,${createHmac("sha256", secret).update(content).digest("base64")}`,
  };
}

async function attemptDelivery(row: OutboxRow, context: Context): Promise<number> {
  const { method = "POST", secret } = JSON.parse(row.delivery ?? "{}");
  const headers = {
    "content-type": "application/json",
    ...JSON.parse(row.headers),
    // Machine time, because receivers refuse a timestamp far from their own clock.
    ...(secret &&
      signedHeaders(row, context.secrets.open(secret), Math.floor(context.clock.machineNowMs() / 1000))),
  };
  const answer = await context.outbound.request({
    method,
    url: row.target,
    headers,
    body: row.body,
    timeoutMs: TIMEOUT_MS,
    responseBytesMax: ANSWER_BYTES_MAX,
    whenTooLarge: "truncate",
  });
  return answer.status;
}

/** The last attempts are kept with the message. */
const DELIVERIES_KEPT = 10;
async function note(
  context: Context<KernelTables>,
  row: OutboxRow,
  change: Pick<OutboxRow, "state" | "answer_status" | "error"> & Partial<OutboxRow>,
): Promise<void> {
  const { answer_status: status, error } = change;
  const attempt = { atMs: context.clock.nowMs(), status, error };
  const earlier: readonly unknown[] = JSON.parse(row.deliveries ?? "[]");
  const deliveries = JSON.stringify([...earlier, attempt].slice(-DELIVERIES_KEPT));
  await context.transact(async ({ db }) => {
    await db
      .updateTable("medley_outbox")
      .set((expression) => ({ ...change, deliveries, attempts: expression("attempts", "+", 1) }))
      .where("id", "=", row.id)
      .execute();
  });
}

async function run(
  { outboxId }: { outboxId: string },
  context: Context<KernelTables>,
  { attempt, lastAttempt }: JobAttempt,
): Promise<void> {
  const row = await context.db
    .selectFrom("medley_outbox")
    .selectAll()
    .where("id", "=", outboxId)
    .executeTakeFirst();
  if (row?.state !== "waiting") return;
  const attemptsMax = JSON.parse(row.delivery ?? "{}").attemptsMax ?? DELIVERY_ATTEMPTS_MAX;
  const last = lastAttempt || attempt >= attemptsMax;
  try {
    const status = await attemptDelivery(row, context);
    if (status < 200 || status > 299)
      throw Object.assign(new DeliveryFailed(`the receiver answered ${status}`), { status });
    await note(context, row, {
      state: "delivered",
      answer_status: status,
      error: null,
      delivered_at: context.clock.nowMs(),
    });
  } catch (error) {
    const { message, status } = error as Error & { status?: number };
    await note(context, row, {
      state: last ? "failed" : "waiting",
      error: message,
      answer_status: status ?? null,
    });
    if (!last) throw error;
  }
}

export const deliver = jobsFor<KernelTables>()({
  ...delivery,
  transaction: "manual",
  run,
});
