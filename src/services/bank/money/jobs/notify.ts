/**
 * Delivers one event to one filter. If an address does not answer with 2xx, it retries five times, once a
 * minute.
 */
import type { Static } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import {
  type BankContext,
  createRecord,
  type EventRow,
  type FilterRow,
  findEvent,
  findFilter,
  keptIn,
  listRecords,
  notification,
  type State,
  type Tables,
} from "../../book/index.ts";
import { CERTIFICATES_MAX, certificatesIn, PinnedChain } from "../domain/certificates.ts";
import { FAILURE } from "../domain/notification-failures.ts";
import { objectOf } from "../event-objects.ts";
import { listAliases } from "../store/users.ts";

const RETRIES = 5;
const INTERVAL_MS = 60_000;
const TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 4096;

type Payload = Static<typeof notification.payload>;
type Outcome = { readonly status: number; readonly message: string };

/** The message in the format that the maker's receivers expect. */
async function messageOf(context: BankContext, event: EventRow, filter: FilterRow): Promise<string> {
  const message = {
    target_url: filter.target,
    category: filter.category,
    event_type: `${event.object_kind}_${event.action}`.toUpperCase(),
    object: await objectOf(context, event),
  };
  return JSON.stringify({ [filter.method === "URL" ? "NotificationUrl" : "Notification"]: message });
}
async function headersOf({ state }: BankContext, body: string): Promise<Record<string, string>> {
  const signature = await state.signatureOf(body);
  return { "content-type": "application/json", "x-vendor-server-signature": signature };
}
/** If a user has pinned certificates, notifications go only to receivers that present one of them. */
async function pinnedBy({ db, account }: BankContext, userId: number): Promise<readonly string[]> {
  const place = { kind: "certificate-pinned", userId, ownerId: 0 };
  const chains = await listRecords(db, account, place, CERTIFICATES_MAX);
  return chains.flatMap((record) => certificatesIn(keptIn(PinnedChain, record).chain));
}
/** A status of 2xx counts as delivered. */
async function post(
  context: BankContext,
  { target: url, user_id: userId }: FilterRow,
  headers: Record<string, string>,
  body: string,
): Promise<Outcome> {
  try {
    const { status } = await context.outbound.request({
      method: "POST",
      url,
      headers,
      body,
      pinnedCertificates: await pinnedBy(context, userId),
      timeoutMs: TIMEOUT_MS,
      responseBytesMax: ANSWER_BYTES_MAX,
      whenTooLarge: "truncate",
    });
    return { status, message: `the receiver answered ${status}` };
  } catch (error) {
    return { status: 0, message: error instanceof Error ? error.message : String(error) };
  }
}
async function noteFailure(context: BankContext, filter: FilterRow, payload: Payload, outcome: Outcome) {
  const event = await findEvent(context.db, context.account, payload.eventId);
  await createRecord(context, {
    kind: FAILURE,
    userId: filter.user_id,
    ownerId: 0,
    status: "FAILED",
    body: {
      ...payload,
      category: filter.category,
      method: filter.method,
      target: filter.target,
      event_type: `${event?.object_kind}_${event?.action}`.toUpperCase(),
      object_id: event?.object_id ?? 0,
      exception_message: outcome.message.slice(0, 500),
      response_code: outcome.status,
    },
  });
}

const KINDS: Readonly<Record<string, string>> = { URL: "webhook", EMAIL: "mail", PUSH: "push" };
/** Without a target, mail goes to the user's first e-mail alias, and a push to all devices of the user. */
async function targetOf(
  { db, account }: BankContext,
  { method, target, user_id }: FilterRow,
): Promise<string> {
  if (target !== "" || method !== "EMAIL") return target || `user/${user_id}`;
  const aliases = await listAliases(db, account, user_id);
  return aliases.find(({ type }) => type === "EMAIL")?.value ?? `user/${user_id}`;
}
async function tell(context: BankContext, event: EventRow, filter: FilterRow, payload: Payload) {
  const { attempt = 0 } = payload;
  const body = await messageOf(context, event, filter);
  const headers = await headersOf(context, body);
  const kind = KINDS[filter.method] ?? "push";
  const target = await targetOf(context, filter);
  if (attempt === 0)
    await context.transact(async ({ outbox }) => {
      await outbox.send({ kind, target, subject: filter.category, headers, body });
    });
  if (filter.method !== "URL") return;
  const outcome = await post(context, filter, headers, body);
  if (outcome.status >= 200 && outcome.status <= 299) return;
  await context.transact(async (inner) => {
    if (attempt >= RETRIES) return noteFailure(inner, filter, payload, outcome);
    const runAtMs = inner.clock.nowMs() + INTERVAL_MS;
    await inner.enqueue(notification, { ...payload, attempt: attempt + 1 }, { runAtMs });
  });
}

export const notify = jobsFor<Tables, State>()({
  ...notification,
  transaction: "manual",
  async run(payload, context) {
    const event = await findEvent(context.db, context.account, payload.eventId);
    const filter = await findFilter(context.db, context.account, payload.filterId);
    if (event && filter) await tell(context, event, filter, payload);
  },
});
