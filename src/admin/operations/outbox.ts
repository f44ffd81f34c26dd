/** The outbox: all outgoing messages, to be read, waited for and acknowledged. */
import { setTimeout as sleep } from "node:timers/promises";
import { Type } from "@sinclair/typebox";
import { isoOf, parseDurationMs } from "#kernel/clock";
import { deliver } from "#kernel/events";
import {
  answer,
  type Context,
  defineErrors,
  kernelErrors,
  media,
  noBody,
  operationsFor,
} from "#kernel/operation";
import type { KernelTables } from "#kernel/runtime";
import { ACKNOWLEDGE_PERMISSION, ADMIN_PERMISSION, OWN_PERMISSION, visibleAccountOf } from "../protocol.ts";
import * as store from "../store.ts";
import { RecordFilter, timeOf } from "../wire.ts";

const WAIT_MS_MAX = 60_000;
const LOOK_AGAIN_MS = 100;
/** Limit of waiting requests of one account on this node. */
const WAITING_MAX = 20;

/** Number of waiting requests by account. */
type Waiting = Map<string, number>;

const operation = operationsFor<KernelTables>();
type OutboxContext = Context<KernelTables>;
const errors = defineErrors({ noSuchMessage: ["NoSuchMessage", 404] });

const maybeMoment = (description: string) =>
  Type.Union([Type.String(), Type.Null()], { description, examples: ["2026-01-01T01:00:00.000Z"] });
const maybeText = (description: string, example: string) =>
  Type.Union([Type.String(), Type.Null()], { description, examples: [example] });
const MessageView = Type.Object({
  id: Type.String(),
  kind: Type.String({ description: "mail, call, webhook, queue, topic and others.", examples: ["mail"] }),
  service: Type.String(),
  account: Type.String(),
  target: Type.String({
    description: "The address, number, queue or URL it goes to.",
    examples: ["ann@example.org"],
  }),
  subject: maybeText("What it is about.", "Welcome"),
  headers: Type.Record(Type.String(), Type.Unknown(), {
    description: "What goes along with it.",
    examples: [{ from: "news@example.org" }],
  }),
  body: Type.Unknown({
    description: "The message, as JSON where it is any.",
    examples: [{ text: "Hello." }],
  }),
  content: maybeText(
    "Where the bytes are that belong to it.",
    "/_medley/outbox/out_1m7fqc7680000eyv1bw2px5/content",
  ),
  state: Type.String({ description: "recorded, waiting, delivered or failed.", examples: ["recorded"] }),
  attempts: Type.Integer({ description: "How often its delivery was tried.", examples: [1] }),
  answerStatus: Type.Union([Type.Integer(), Type.Null()], {
    description: "What the receiver answered last.",
    examples: [200],
  }),
  error: maybeText("Why the last attempt failed.", "The address does not answer."),
  createdAt: Type.String(),
  deliveredAt: maybeMoment("When it was taken."),
  acknowledgedAt: maybeMoment("When somebody said that it has arrived."),
});
const MessageDetail = Type.Object({
  ...MessageView.properties,
  deliveries: Type.Array(
    Type.Object({
      at: Type.String(),
      status: Type.Union([Type.Integer(), Type.Null()], {
        description: "What the receiver answered; nothing where it did not.",
        examples: [503],
      }),
      error: maybeText("Why it failed.", "The address does not answer."),
    }),
    { description: "The latest attempts." },
  ),
  mail: Type.Optional(
    Type.Object(
      {
        to: Type.String({ description: "Whom it goes to.", examples: ["ann@example.org"] }),
        subject: Type.String({ description: "What it is about.", examples: ["Welcome"] }),
        text: Type.Optional(Type.String({ description: "As text.", examples: ["Hello."] })),
        html: Type.Optional(Type.String({ description: "As a page.", examples: ["<p>Hello.</p>"] })),
      },
      { description: "As a mail program would show it." },
    ),
  ),
});
type OutboxRow = NonNullable<Awaited<ReturnType<typeof store.findMessage>>>;
const showMessage = (row: OutboxRow) => ({
  id: row.id,
  kind: row.kind,
  service: row.service,
  account: row.account,
  target: row.target,
  subject: row.subject,
  headers: JSON.parse(row.headers),
  body: bodyOf(row.body),
  content: row.blob_id === null ? null : `/_medley/outbox/${row.id}/content`,
  state: row.state,
  attempts: row.attempts,
  answerStatus: row.answer_status,
  error: row.error,
  createdAt: isoOf(row.created_at),
  deliveredAt: timeOf(row.delivered_at),
  acknowledgedAt: timeOf(row.acknowledged_at),
});
type KeptDelivery = { readonly atMs: number; readonly status: number | null; readonly error: string | null };
const deliveriesOf = ({ deliveries }: OutboxRow) =>
  (JSON.parse(deliveries ?? "[]") as KeptDelivery[]).map(({ atMs, ...outcome }) => ({
    at: isoOf(atMs),
    ...outcome,
  }));
/** A mail for display. Its text and markup are untrusted, so clients must sandbox them. */
function mailOf({ kind, target, subject, body }: OutboxRow) {
  if (kind !== "mail") return undefined;
  const content = bodyOf(body);
  const said = (name: "text" | "html") => {
    const part = (content as Record<string, unknown> | null)?.[name];
    return typeof part === "string" ? { [name]: part } : {};
  };
  const parts = typeof content === "string" ? { text: content } : { ...said("text"), ...said("html") };
  return { to: target, subject: subject ?? "", ...parts };
}
function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A message of another account counts as missing. */
async function getMessage({ db, principal }: OutboxContext, id: string): Promise<OutboxRow> {
  const row = await store.findMessage(db, id);
  if (row && (principal.admin || row.account === principal.account)) return row;
  throw errors.noSuchMessage(`There is no message ${id}.`);
}

function waitMsOf(text: string | undefined): number {
  if (text === undefined) return 0;
  const ms = parseDurationMs(text);
  if (ms === undefined || ms < 0 || ms > WAIT_MS_MAX)
    throw kernelErrors.invalidInput(`"${text}" is not a duration of at most ${WAIT_MS_MAX / 1000}s.`);
  return ms;
}

/**
 * Polls until a message arrives or the time is over. It uses the real clock, because a frozen clock would
 * never reach the end.
 */
async function waitFor(
  waiting: Waiting,
  { account, clock }: OutboxContext,
  waitMs: number,
  isThere: () => Promise<boolean>,
): Promise<void> {
  const before = waiting.get(account) ?? 0;
  if (before >= WAITING_MAX)
    throw kernelErrors.throttled(`${WAITING_MAX} requests of this account wait already.`);
  waiting.set(account, before + 1);
  try {
    const untilMs = clock.machineNowMs() + waitMs;
    while (!(await isThere()) && clock.machineNowMs() < untilMs) await sleep(LOOK_AGAIN_MS);
  } finally {
    const left = (waiting.get(account) ?? 1) - 1;
    if (left === 0) waiting.delete(account);
    else waiting.set(account, left);
  }
}

const listMessages = (waiting: Waiting) =>
  operation({
    id: "medley.outbox.list",
    summary: "Lists outgoing messages and their deliveries, newest first",
    description:
      "Messages of the caller's account, or of all for admins. With `wait` (at most 60 seconds) it responds as soon as there is a message that is not acknowledged, or with none at the end; 20 requests of an account may wait at a time.",
    method: "GET",
    path: "/outbox",
    permission: OWN_PERMISSION,
    mayBeOld: "if-allowed",
    timeoutSeconds: WAIT_MS_MAX / 1000 + 10,
    query: Type.Object({
      ...RecordFilter,
      target: Type.Optional(
        Type.String({
          maxLength: 2048,
          description: "Messages to this address, queue, number or URL alone.",
          examples: ["ann@example.org"],
        }),
      ),
      text: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: "Messages alone that have this text in their address, subject or body.",
          examples: ["password"],
        }),
      ),
      acknowledged: Type.Optional(
        Type.Boolean({
          description: "Only messages that were, or were not, acknowledged.",
          examples: [false],
        }),
      ),
      wait: Type.Optional(
        Type.String({ maxLength: 40, description: "How long to wait for a message.", examples: ["20s"] }),
      ),
    }),
    answers: {
      200: Type.Object({ messages: Type.Array(MessageView), nextToken: Type.Optional(Type.String()) }),
    },
    async handle({ query: { limit: size, nextToken: token, wait, ...wanted } }, context) {
      const { db, pages, principal } = context;
      const waitMs = waitMsOf(wait);
      const account = visibleAccountOf(principal, wanted.account);
      const filter = { ...wanted, account, ...(wait !== undefined && { acknowledged: false }) };
      if (waitMs > 0)
        await waitFor(
          waiting,
          context,
          waitMs,
          async () => (await store.listMessages(db, { ...filter, limit: 1 })).length > 0,
        );
      const { rows, ...next } = await pages.of(
        { size, token, filter },
        (row: OutboxRow) => [row.id],
        (before, limit) => store.listMessages(db, { ...filter, before: before?.[0], limit }),
      );
      return { messages: rows.map(showMessage), ...next };
    },
  });

const named = Type.Object({
  id: Type.String({
    maxLength: 100,
    description: "The message's id.",
    examples: ["out_1m7fqc7680000eyv1bw2px5"],
  }),
});

const getOperation = operation({
  id: "medley.outbox.get",
  summary: "Returns an outgoing message with its delivery attempts",
  description:
    "Mail is also shown as text and HTML, which is not trusted. A message of another account gives 404.",
  method: "GET",
  path: "/outbox/{id}",
  permission: OWN_PERMISSION,
  params: named,
  answers: { 200: MessageDetail },
  errors: [errors.noSuchMessage],
  async handle({ params }, context) {
    const row = await getMessage(context, params.id);
    const mail = mailOf(row);
    return { ...showMessage(row), deliveries: deliveriesOf(row), ...(mail && { mail }) };
  },
});

const again = operation({
  id: "medley.outbox.again",
  summary: "Delivers a message again",
  description:
    "A job delivers it, with the usual number of attempts. Refused for messages without a destination outside, and for those that are waiting. The receiver gets the same id.",
  method: "POST",
  path: "/outbox/{id}/again",
  permission: ADMIN_PERMISSION,
  params: named,
  answers: { 200: MessageView },
  errors: [errors.noSuchMessage],
  async handle({ params }, context) {
    const row = await getMessage(context, params.id);
    if (row.delivery === null)
      throw kernelErrors.conflict("This message is kept here and goes nowhere: there is nothing to deliver.");
    if (row.state === "waiting") throw kernelErrors.conflict("This message is about to be delivered.");
    await store.reopenMessage(context.db, row.id);
    await context.enqueue(deliver, { outboxId: row.id }, { account: row.account });
    return showMessage({ ...row, state: "waiting", error: null, answer_status: null });
  },
});

/** The content is untrusted. These headers prevent a browser from running scripts in it. */
const asNoPage = {
  "content-security-policy": "default-src 'none'; sandbox",
  "x-content-type-options": "nosniff",
};
const getContent = operation({
  id: "medley.outbox.content",
  summary: "Returns the binary content of a message",
  description: "For example the audio of a call. Browsers are told not to run anything in it.",
  method: "GET",
  path: "/outbox/{id}/content",
  permission: OWN_PERMISSION,
  params: named,
  answers: { 200: media("application/octet-stream") },
  errors: [errors.noSuchMessage],
  async handle({ params }, context) {
    const { id } = await getMessage(context, params.id);
    const content = await store.findMessageContent(context.db, id);
    if (!content) throw errors.noSuchMessage(`There is no content for ${id}.`);
    const parts = await Promise.all(content.chunks.map((chunk) => context.objects.load(chunk)));
    return answer(200, Buffer.concat(parts), { "content-type": content.type, ...asNoPage });
  },
});

const acknowledge = operation({
  id: "medley.outbox.acknowledge",
  summary: "Acknowledges a message",
  description:
    "Marks the message for consumers; it is no longer returned by `wait`. It stays in the list. Repeating it changes nothing.",
  method: "POST",
  path: "/outbox/{id}/acknowledge",
  permission: ACKNOWLEDGE_PERMISSION,
  params: named,
  answers: { 204: noBody },
  errors: [errors.noSuchMessage],
  async handle({ params }, context) {
    const { id } = await getMessage(context, params.id);
    await store.acknowledgeMessage(context.db, id, context.clock.nowMs());
  },
});

/** One instance of the wait counters for each running instance. */
export const outboxOperations = () => [listMessages(new Map()), getOperation, getContent, acknowledge, again];
