/** How accounts and their owners are shown to others. */
import { type LedgerRow, type Owner, userDetails } from "../../book/index.ts";

/** The kinds that people have, as the maker wraps them. */
export const WRAPPERS = {
  bank: "MonetaryAccountBank",
  savings: "MonetaryAccountSavings",
  joint: "MonetaryAccountJoint",
  external: "MonetaryAccountExternal",
  "external-savings": "MonetaryAccountExternalSavings",
  card: "MonetaryAccountCard",
} as const;
export type LedgerKind = keyof typeof WRAPPERS;
export const PEOPLES_KINDS = Object.keys(WRAPPERS) as readonly LedgerKind[];

export const labelOfUser = (user: Owner) => ({
  uuid: user.public_uuid,
  display_name: user.display_name,
  country: user.country,
  public_nick_name: userDetails.read(user.details).public_nick_name ?? user.display_name,
});

/** The label of an account for the other side of a payment. */
export const labelOf = (ledger: LedgerRow, user: Owner) => ({
  iban: ledger.iban,
  display_name: ledger.display_name,
  label_user: labelOfUser(user),
  country: user.country,
  is_light: false,
});
