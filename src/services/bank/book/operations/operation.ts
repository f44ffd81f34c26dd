/**
 * How the bank declares operations: additional members of a declaration, and checks that apply to every
 * caller.
 */
import type { TSchema } from "@sinclair/typebox";
import {
  Answer,
  kernelErrors,
  type Operation,
  type OperationSpec,
  oncePerRequest,
  operationsFor,
} from "#kernel/operation";
import { isPermitted } from "../domain/addresses.ts";
import { rateLimitFor } from "../domain/rate-limits.ts";
import { allows, isRunning, type Right } from "../domain/rights.ts";
import { errors } from "../errors.ts";
import { type BankContext, type Caller, findCaller, type State } from "../state.ts";
import { insertRequestId } from "../store/access.ts";
import { findLedger } from "../store/ledger.ts";
import { listActiveShares } from "../store/shares.ts";
import type { LedgerRow, Tables } from "../tables.ts";
import type { BankOperation, Wrapper } from "../wire/envelope.ts";

const declare = operationsFor<Tables, State>();

export function callerOf({ principal }: BankContext): Caller {
  const caller = findCaller(principal);
  if (!caller) throw new Error("nobody is known to ask");
  return caller;
}

/** Users may read only their own records. */
export function requireUser(context: BankContext, userId: number): number {
  if (callerOf(context).userId !== userId) throw errors.notFound(`There is no user ${userId}.`);
  return userId;
}
async function hasRight(
  { db, account, clock }: BankContext,
  userId: number,
  ledgerId: number,
  right: Right,
): Promise<boolean> {
  if (right === "own") return false;
  const shares = await listActiveShares(db, account, userId);
  return shares.some(
    (share) => share.ledger_id === ledgerId && allows(share.access, right) && isRunning(share, clock.nowMs()),
  );
}
/** For who is let in with less, but may not do all. */
export async function mayUse(context: BankContext, ledgerId: number, right: Right): Promise<boolean> {
  const { userId } = callerOf(context);
  const ledger = await findLedger(context.db, context.account, ledgerId);
  return ledger?.user_id === userId || hasRight(context, userId, ledgerId, right);
}
/**
 * An account that the caller may use in this way. Owners have all rights; other users have the rights of
 * their share.
 */
export async function getLedger(
  context: BankContext,
  userId: number,
  ledgerId: number,
  right: Right = "own",
): Promise<LedgerRow> {
  requireUser(context, userId);
  const ledger = await findLedger(context.db, context.account, ledgerId);
  if (ledger?.user_id === userId) return ledger;
  if (!ledger || !(await hasRight(context, userId, ledgerId, right)))
    throw errors.notFound(`There is no monetary account ${ledgerId}.`);
  return ledger;
}

function requireSignature(context: BankContext): void {
  if (callerOf(context).installation && context.request.headers["x-vendor-client-signature"] === undefined)
    throw errors.signatureRequired("This request must be signed.");
}
const REQUEST_ID_LENGTH_MAX = 100;
async function noteRequestId({ db, account, clock, request }: BankContext, deviceId: number): Promise<void> {
  const given = request.headers["x-vendor-client-request-id"];
  if (typeof given !== "string" || given === "") return;
  if (given.length > REQUEST_ID_LENGTH_MAX) throw errors.badRequest("The request id is too long.");
  const row = { account, device_id: deviceId, request_id: given, created_at: clock.nowMs() };
  if (!(await insertRequestId(db, row)))
    throw errors.badRequest(`The request id ${given} was used before by this device.`);
}

/** The name that rate limits count a caller by: session, installation, user key or account key. */
function nameOf({ account }: BankContext, { sessionId, keyId, installation, userId }: Caller): string {
  if (sessionId !== undefined) return `${account}/session/${sessionId}`;
  if (installation) return `${account}/installation/${installation.id}/${userId}`;
  return keyId === undefined ? account : `${account}/key/${keyId}`;
}
type RateHeaders = Readonly<Record<string, string>>;
/** Counts the request and returns the rate limit headers. */
const countRequest = oncePerRequest(
  (context: BankContext, caller: Caller, { id, method }: Operation): RateHeaders => {
    const { state, clock } = context;
    const limit = rateLimitFor(id, method, state.rateLimitTimes);
    if (!limit) return {};
    const counted = state.rates.count(`${nameOf(context, caller)} ${id}`, limit, clock.nowMs());
    const seconds = String(Math.ceil(counted.resetMs / 1000));
    const headers = {
      "ratelimit-limit": String(limit.requests),
      "ratelimit-remaining": String(counted.remaining),
      "ratelimit-reset": seconds,
    };
    if (counted.isOver)
      throw kernelErrors.throttled(
        `Too many requests: here at most ${limit.requests} in ${limit.windowMs / 1000} seconds.`,
        { headers: { ...headers, "retry-after": seconds } },
      );
    return headers;
  },
);
const withHeaders = (answered: unknown, headers: RateHeaders): Answer =>
  answered instanceof Answer
    ? new Answer(answered.status, answered.body, { ...headers, ...answered.headers })
    : new Answer(200, answered, headers);

type Own = {
  readonly wrapper?: Wrapper;
  /** Whether it moves money or grants access. Callers with an installation must then sign the request. */
  readonly signed?: boolean;
};

export function operation<
  A extends Readonly<Record<number, TSchema>>,
  P extends TSchema | undefined = undefined,
  Q extends TSchema | undefined = undefined,
  H extends TSchema | undefined = undefined,
  B extends TSchema | undefined = undefined,
>({ wrapper, signed, ...spec }: OperationSpec<Tables, State, P, Q, H, B, A> & Own): BankOperation {
  const declared: Operation = declare(spec as OperationSpec<Tables, State, P, Q, H, B, A>);
  const writes = declared.method !== "GET";
  return {
    ...declared,
    errors: [
      errors.badRequest,
      errors.notFound,
      ...(signed ? [errors.signatureRequired] : []),
      ...(declared.errors ?? []),
    ],
    ...(wrapper !== undefined && { wrapper }),
    async handle(input, context) {
      const caller = findCaller(context.principal);
      if (caller?.permittedIps && !isPermitted(caller.permittedIps, context.request.remoteAddress))
        throw kernelErrors.forbidden("This may not be used from here.");
      const headers = caller ? countRequest(context, caller, declared) : {};
      if (signed) requireSignature(context);
      const deviceId = caller?.deviceId;
      if (writes && deviceId !== undefined) await noteRequestId(context, deviceId);
      return withHeaders(await declared.handle(input, context), headers);
    },
  };
}

type ListRequest = { readonly count?: number; readonly older_id?: number; readonly newer_id?: number };
const COUNT_DEFAULT = 10;
/** A page of a list that is read by ids, the newest first, with the addresses of the pages beside it. */
export async function listOf<Row extends { readonly id: number }, Shown>(
  { request }: BankContext,
  { count = COUNT_DEFAULT, older_id, newer_id }: ListRequest,
  read: (slice: { olderThan?: number; newerThan?: number; limit: number }) => Promise<readonly Row[]>,
  show: (row: Row) => Shown | Promise<Shown>,
  { oldestFirst = false } = {},
): Promise<Answer<Shown[]>> {
  if (older_id !== undefined && newer_id !== undefined)
    throw errors.badRequest("A list is read by older_id or by newer_id, not by both.");
  const isBeginning = older_id === undefined && newer_id === undefined;
  const newerThan = isBeginning && oldestFirst ? 0 : newer_id;
  const found = await read({
    ...(older_id !== undefined && { olderThan: older_id }),
    ...(newerThan !== undefined && { newerThan }),
    limit: count + 1,
  });
  const isMore = found.length > count;
  const rows = newerThan === undefined ? found.slice(0, count) : found.slice(isMore ? 1 : 0);
  const [path = ""] = request.rawUrl.split("?");
  const isUpwards = newerThan !== undefined;
  const link = linksOf(path, count, rows, {
    future: newerThan ?? 0,
    newer: isUpwards ? isMore : !isBeginning,
    older: isUpwards ? !isBeginning : isMore,
  });
  const shown = await Promise.all(rows.map(show));
  return new Answer(200, oldestFirst ? shown.reverse() : shown, { link });
}
type Beside = { readonly future: number; readonly newer: boolean; readonly older: boolean };
/** `future`: the cursor of a page without rows. `newer` and `older`: whether such a page exists. */
function linksOf(
  path: string,
  count: number,
  rows: readonly { readonly id: number }[],
  { future, newer, older }: Beside,
): string[] {
  const link = (relation: string, member: string, id: number) =>
    `<${path}?${member}=${id}&count=${count}>; rel="${relation}"`;
  const newest = rows[0]?.id ?? future;
  const oldest = rows.at(-1)?.id;
  return [
    link("future", "newer_id", newest),
    ...(newer ? [link("newer", "newer_id", newest)] : []),
    ...(older && oldest !== undefined ? [link("older", "older_id", oldest)] : []),
  ];
}
