/** What the `details` columns of users, accounts, payments and shares keep. */
import { Type } from "@sinclair/typebox";
import { type DetailsOf, detailsColumn } from "./kinds.ts";

const text = Type.Optional(Type.String());
const number = Type.Optional(Type.Number());

/** What users say of themselves has many more members. The operations that change them check those. */
export const userDetails = detailsColumn(
  "user",
  Type.Object({
    first_name: text,
    middle_name: text,
    last_name: text,
    name: text,
    public_nick_name: text,
    date_of_birth: text,
    certificate_distinguished_name: text,
    avatar_uuid: text,
    daily_limit_minor: number,
  }),
);

export const ledgerDetails = detailsColumn(
  "monetary account",
  Type.Object({
    setting: Type.Optional(
      Type.Object({
        color: text,
        icon: text,
        default_avatar_status: text,
        restriction_chat: text,
        sdd_expiration_action: text,
      }),
    ),
    reason: text,
    reason_description: text,
    service: text,
    savings_goal_minor: number,
    avatar_uuid: text,
    /** The account that pays off a credit card account. */
    settled_by: number,
    /** Whether rules allocate its incoming money. */
    allocates: Type.Optional(Type.Boolean()),
  }),
);
export type LedgerDetails = DetailsOf<typeof ledgerDetails>;

/** Of a payment that waits until somebody registers the alias. */
const Waiting = Type.Object({
  status: Type.String(),
  shareUrl: Type.String(),
  expiresAtMs: Type.Number(),
  respondedAtMs: number,
});
export const paymentDetails = detailsColumn(
  "payment",
  Type.Object({
    merchant_reference: text,
    attachments: Type.Optional(Type.Array(Type.Number())),
    /** When it reaches the other bank. */
    arrives_at: number,
    waiting: Type.Optional(Waiting),
    /** Requests that share its cost. */
    references: Type.Optional(Type.Array(Type.Object({ type: Type.String(), id: Type.Number() }))),
    invoice_id: number,
    mastercard_action_id: number,
    quote_id: number,
    /** The amount in the currency of the beneficiary. */
    arrives_as: Type.Optional(Type.Object({ minor: Type.Number(), currency: Type.String() })),
  }),
);
export type PaymentDetails = DetailsOf<typeof paymentDetails>;

export const shareDetails = detailsColumn("share", Type.Object({ relationship: text, share_type: text }));
export type ShareDetails = DetailsOf<typeof shareDetails>;
