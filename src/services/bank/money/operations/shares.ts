/** Sharing of accounts: owners invite and revoke; invited users accept, refuse and leave. */
import { type Static, Type } from "@sinclair/typebox";
import {
  ACCESS_TYPES,
  type AccessType,
  type BankContext,
  BareId,
  errors,
  findShare,
  getLedger,
  Id,
  idOf,
  itemParams,
  ListQuery,
  ledgerParams,
  listOf,
  operation,
  pageOfShares,
  requireAsked,
  requireUser,
  type ShareRow,
  takeId,
  updateShare,
  userParams,
} from "../../book/index.ts";
import { readInstant } from "../domain/times.ts";
import { invite, tellOfShare } from "../sharing.ts";
import { Inquiry, inquiryView, Response, responseView, ShareDetail } from "../wire/shares.ts";

const INQUIRY = "/user/{userID}/monetary-account/{monetaryAccountID}/share-invite-monetary-account-inquiry";
const RESPONSE = "/user/{userID}/share-invite-monetary-account-response";
const Access = Type.Union(ACCESS_TYPES.map((one) => Type.Literal(one)));
const Pointer = Type.Object({
  type: Type.String({ maxLength: 50 }),
  value: Type.String({ minLength: 1, maxLength: 255 }),
  name: Type.Optional(Type.String({ maxLength: 140 })),
});
const InviteBody = Type.Object({
  counter_user_alias: Pointer,
  access_type: Type.Optional(Access),
  share_detail: Type.Optional(ShareDetail),
  status: Type.Optional(Type.String({ maxLength: 50 })),
  relationship: Type.Optional(Type.String({ maxLength: 50 })),
  share_type: Type.Optional(Type.Union([Type.Literal("STANDARD"), Type.Literal("MUTUAL")])),
  start_date: Type.Optional(Type.String({ maxLength: 40 })),
  end_date: Type.Optional(Type.String({ maxLength: 40 })),
});
/** The older form of the request names the rights one by one. */
function accessIn({ access_type, share_detail }: Static<typeof InviteBody>): AccessType {
  if (access_type !== undefined) return access_type;
  if (share_detail?.payment) return "FULL_TRANSIENT";
  if (share_detail?.draft_payment) return "DRAFT_PAYMENT";
  const { view_old_events, view_new_events } = share_detail?.read_only ?? {};
  return view_old_events || view_new_events ? "VIEW_TRANSACTION" : "VIEW_BALANCE";
}
function instantIn(member: string, text: string | undefined): number | undefined {
  const ms = text === undefined ? undefined : readInstant(text);
  if (text !== undefined && ms === undefined)
    throw errors.badRequest(`${member} must be a time such as 2026-11-16 09:30:00.`);
  return ms;
}
const createInquiry = operation({
  id: "bank.CreateShareInviteMonetaryAccountInquiry",
  summary: "Invites somebody to an account",
  description:
    "Access begins when the other user accepts, between `start_date` and `end_date` if they are given. Without an access type, only the balance can be seen.",
  method: "POST",
  path: INQUIRY,
  permission: "bank:CreateShareInvite",
  wrapper: "Id",
  params: Type.Object(ledgerParams),
  body: InviteBody,
  answers: { 200: BareId },
  async handle({ params, body }, context) {
    const ledger = await getLedger(context, params.userID, params.monetaryAccountID);
    const { counter_user_alias, start_date, end_date, relationship, share_type } = body;
    const { id } = await invite(context, ledger, {
      to: counter_user_alias,
      access: accessIn(body),
      startsAtMs: instantIn("start_date", start_date),
      endsAtMs: instantIn("end_date", end_date),
      details: {
        ...(relationship !== undefined && { relationship }),
        ...(share_type !== undefined && { share_type }),
      },
    });
    return { id };
  },
});
const listInquiries = operation({
  id: "bank.ListShareInviteMonetaryAccountInquiries",
  summary: "Lists the invitations to an account",
  description: "Includes invitations that were refused, revoked or left.",
  method: "GET",
  path: INQUIRY,
  permission: "bank:ListShareInvites",
  wrapper: "ShareInviteMonetaryAccountInquiry",
  params: Type.Object(ledgerParams),
  query: ListQuery,
  answers: { 200: Type.Array(Inquiry) },
  async handle({ params, query }, context) {
    const { id } = await getLedger(context, params.userID, params.monetaryAccountID);
    return listOf(
      context,
      query,
      (slice) => pageOfShares(context.db, context.account, { ledger_id: id }, slice),
      (share) => inquiryView(context, share),
    );
  },
});
type InquiryParams = {
  readonly userID: number;
  readonly monetaryAccountID: number;
  readonly itemId: number;
};
async function getInquiry(context: BankContext, params: InquiryParams): Promise<ShareRow> {
  const { id } = await getLedger(context, params.userID, params.monetaryAccountID);
  const share = await findShare(context.db, context.account, params.itemId);
  if (share?.ledger_id !== id) throw errors.notFound(`There is no invitation ${params.itemId}.`);
  return share;
}
const readInquiry = operation({
  id: "bank.ReadShareInviteMonetaryAccountInquiry",
  summary: "Reads an invitation",
  description: "An invitation to another account gives 404.",
  method: "GET",
  path: `${INQUIRY}/{itemId}`,
  permission: "bank:ReadShareInvite",
  wrapper: "ShareInviteMonetaryAccountInquiry",
  params: Type.Object({ ...ledgerParams, ...itemParams }),
  answers: { 200: Inquiry },
  handle: async ({ params }, context) => inquiryView(context, await getInquiry(context, params)),
});

const SIDES = {
  inquiry: "share-invite-monetary-account-inquiry",
  response: "share-invite-monetary-account-response",
} as const;
const OVER: readonly string[] = ["REJECTED", "REVOKED", "CANCELLED"];
type Change = { readonly status?: string | undefined; readonly access?: ShareRow["access"] | undefined };
async function change(
  context: BankContext,
  share: ShareRow,
  side: keyof typeof SIDES,
  { status, access = share.access }: Change,
) {
  if (status !== undefined) requireAsked(SIDES[side], share.status, status);
  else if (OVER.includes(share.status))
    throw errors.badRequest(`An invitation that is ${share.status} cannot be changed any more.`);
  const changed = {
    ...share,
    status: status ?? share.status,
    access,
    updated_at: context.clock.nowMs(),
  };
  await updateShare(context.db, changed);
  await tellOfShare(context, changed, "UPDATE");
  return idOf(share.id);
}
const updateInquiry = operation({
  id: "bank.UpdateShareInviteMonetaryAccountInquiry",
  summary: "Changes the rights, or revokes them",
  description:
    "New rights apply immediately. An invitation that was rejected, revoked or cancelled cannot be changed. The other user is notified.",
  method: "PUT",
  path: `${INQUIRY}/{itemId}`,
  permission: "bank:UpdateShareInvite",
  params: Type.Object({ ...ledgerParams, ...itemParams }),
  body: Type.Object({
    status: Type.Optional(Type.String({ maxLength: 50 })),
    access_type: Type.Optional(Access),
  }),
  answers: { 200: Id },
  async handle({ params, body }, context) {
    await takeId(context.db, context.account);
    const share = await getInquiry(context, params);
    return change(context, share, "inquiry", { status: body.status, access: body.access_type });
  },
});

const listResponses = operation({
  id: "bank.ListShareInviteMonetaryAccountResponses",
  summary: "Lists the invitations to accounts of others",
  description: "The same invitations as the inviting side has, seen by the invited user.",
  method: "GET",
  path: RESPONSE,
  permission: "bank:ListShareInvites",
  wrapper: "ShareInviteMonetaryAccountResponse",
  params: Type.Object(userParams),
  query: ListQuery,
  answers: { 200: Type.Array(Response) },
  handle({ params, query }, context) {
    const userId = requireUser(context, params.userID);
    return listOf(
      context,
      query,
      (slice) => pageOfShares(context.db, context.account, { user_id: userId }, slice),
      (share) => responseView(context, share),
    );
  },
});
async function getResponse(context: BankContext, userId: number, id: number): Promise<ShareRow> {
  requireUser(context, userId);
  const share = await findShare(context.db, context.account, id);
  if (share?.user_id !== userId) throw errors.notFound(`There is no invitation ${id}.`);
  return share;
}
const readResponse = operation({
  id: "bank.ReadShareInviteMonetaryAccountResponse",
  summary: "Reads an invitation to an account of another user",
  description: "An invitation of another user gives 404.",
  method: "GET",
  path: `${RESPONSE}/{itemId}`,
  permission: "bank:ReadShareInvite",
  wrapper: "ShareInviteMonetaryAccountResponse",
  params: Type.Object({ ...userParams, ...itemParams }),
  answers: { 200: Response },
  handle: async ({ params }, context) =>
    responseView(context, await getResponse(context, params.userID, params.itemId)),
});
const updateResponse = operation({
  id: "bank.UpdateShareInviteMonetaryAccountResponse",
  summary: "Accepts or refuses an invitation, or leaves",
  description:
    "`ACCEPTED` makes the share active, and the account is listed with the user's own. The inviting user is notified.",
  method: "PUT",
  path: `${RESPONSE}/{itemId}`,
  permission: "bank:UpdateShareInvite",
  params: Type.Object({ ...userParams, ...itemParams }),
  body: Type.Object({
    status: Type.String({ maxLength: 50 }),
    card_id: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
  answers: { 200: Id },
  async handle({ params, body }, context) {
    await takeId(context.db, context.account);
    const share = await getResponse(context, params.userID, params.itemId);
    // The maker's clients send ACCEPTED; the resulting status is ACTIVE.
    const status = body.status === "ACCEPTED" ? "ACTIVE" : body.status;
    return change(context, share, "response", { status });
  },
});

export const shareOperations = [
  createInquiry,
  listInquiries,
  readInquiry,
  updateInquiry,
  listResponses,
  readResponse,
  updateResponse,
];
