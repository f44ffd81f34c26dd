/**
 * Rows of the bank's tables. Times are milliseconds of the kernel clock. Amounts are in the smallest unit of
 * the currency.
 */
import type { KeptText } from "./domain/kinds.ts";

export type SequenceRow = { account: string; next: number };
export type UserRow = {
  account: string;
  id: number;
  kind: string;
  public_uuid: string;
  /** 1 for the user that the account's own key acts for. */
  is_default: number;
  status: string;
  display_name: string;
  country: string;
  session_seconds: number;
  /** Fingerprint of a payment service provider's certificate; empty for all others. */
  certificate: string;
  /** Everything else, as JSON. */
  details: KeptText;
  created_at: number;
  updated_at: number;
};
/** Where money for a phone number, an address or an account number goes. */
export type AliasRow = {
  account: string;
  type: string;
  value: string;
  name: string;
  user_id: number;
  ledger_id: number;
};
export type KeyRow = {
  hash: string;
  account: string;
  id: number;
  user_id: number;
  /** The application that the user allowed to use this key; null for the user's own keys. */
  oauth_client_id: number | null;
  description: string;
  /** JSON list of the addresses it may be used from; empty: from any address. */
  permitted_ips: string;
  status: string;
  created_at: number;
  updated_at: number;
};
/** An application that users may allow to act for them. */
export type OauthClientRow = {
  account: string;
  id: number;
  user_id: number;
  client_id: string;
  /** Sealed: its owner may read it again. */
  secret: string;
  display_name: string;
  status: string;
  created_at: number;
  updated_at: number;
};
export type OauthCodeRow = {
  hash: string;
  account: string;
  oauth_client_id: number;
  user_id: number;
  redirect_uri: string;
  expires_at: number;
};
/**
 * One row for the whole instance, with an empty account: installations exist before their account is known.
 */
export type ServerKeyRow = { account: string; public_key: string; private_key: string; created_at: number };
export type InstallationRow = { account: string; id: number; public_key: string; created_at: number };
export type DeviceRow = {
  account: string;
  id: number;
  installation_id: number;
  user_id: number;
  description: string;
  /** JSON; `*` for all. */
  permitted_ips: string;
  ip: string;
  created_at: number;
  updated_at: number;
};
export type SessionRow = {
  hash: string;
  account: string;
  id: number;
  user_id: number;
  installation_id: number;
  device_id: number;
  /** The key it was opened with; 0 for an account's own. */
  key_id: number;
  timeout_seconds: number;
  expires_at: number;
  created_at: number;
};
export type RequestIdRow = { account: string; device_id: number; request_id: string; created_at: number };
/** Accounts in the ledger: those of users, and the bank's own accounts that balance them. */
export type LedgerRow = {
  account: string;
  id: number;
  /** 0: the bank's own. */
  user_id: number;
  kind: string;
  currency: string;
  balance: number;
  overdraft_limit: number;
  daily_limit: number;
  /** How many entries there are: the last one's serial number. */
  serial: number;
  /** Everything that ever left it, and how many times. */
  spent: number;
  paid_count: number;
  status: string;
  sub_status: string;
  iban: string;
  public_uuid: string;
  display_name: string;
  description: string;
  details: KeptText;
  created_at: number;
  updated_at: number;
};
export type MovementRow = { account: string; id: number; kind: string; created_at: number };
export type EntryRow = {
  account: string;
  ledger_id: number;
  serial: number;
  movement_id: number;
  amount: number;
  balance_after: number;
  /**
   * The total that had left the account after this entry. The amount spent in a period is the difference of
   * two entries.
   */
  spent_after: number;
  created_at: number;
};
/** One side of a payment: each of the two accounts has its own. */
export type PaymentRow = {
  account: string;
  id: number;
  ledger_id: number;
  movement_id: number;
  amount: number;
  currency: string;
  balance_after: number;
  type: string;
  sub_type: string;
  /** JSON: how the other side was named when it happened. */
  alias: string;
  counterparty: string;
  description: string;
  batch_id: number | null;
  scheduled_id: number | null;
  arrival: string;
  /** The category that the sorting rules of its side chose. */
  category: string;
  details: KeptText;
  created_at: number;
  updated_at: number;
};
/** Sums that a user paid and received in one hour, by category and currency. Updated with each payment. */
export type InsightRow = {
  account: string;
  user_id: number;
  /** The hour's first instant. */
  hour_at: number;
  category: string;
  currency: string;
  amount: number;
  count: number;
};
/** Records of all other kinds. */
export type RecordRow = {
  account: string;
  kind: string;
  id: number;
  user_id: number;
  /** The record or account that it belongs to; 0 for the user alone. */
  owner_id: number;
  status: string;
  body: KeptText;
  created_at: number;
  updated_at: number;
};
export type EventRow = {
  account: string;
  id: number;
  user_id: number;
  ledger_id: number;
  action: string;
  status: string;
  category: string;
  /** As the maker wraps it. */
  object_kind: string;
  object_id: number;
  /** As it was shown then; empty for payments, which never change. */
  body: string;
  created_at: number;
};
/** Notification filters: which events to deliver, and how. */
export type FilterRow = {
  account: string;
  id: number;
  user_id: number;
  /** 0: of all accounts of the user. */
  ledger_id: number;
  /** URL, PUSH or EMAIL. */
  method: string;
  category: string;
  target: string;
  created_at: number;
};

/** The owner's invitation and the other's response to it are one. */
export type ShareRow = {
  account: string;
  id: number;
  ledger_id: number;
  owner_id: number;
  /** The user that the account is shared with. */
  user_id: number;
  access: string;
  status: string;
  starts_at: number | null;
  ends_at: number | null;
  details: KeptText;
  created_at: number;
  updated_at: number;
};
/** Card secrets that only the owner may read, encrypted. */
export type CardSecretRow = {
  account: string;
  /** The card, or the record below it that the secret belongs to. */
  owner_id: number;
  kind: string;
  value: string;
};
/** Amounts spent with a card. Limits and statements read these rows instead of whole actions. */
export type CardUseRow = {
  account: string;
  action_id: number;
  card_id: number;
  ledger_id: number;
  /** In the card's currency. Reversed amounts count as zero. */
  amount: number;
  is_atm: number;
  created_at: number;
};

/** A picture; only its owner sees it, unless it is public. */
export type AttachmentRow = {
  account: string;
  id: number;
  uuid: string;
  user_id: number;
  /** 0: it belongs to no account of money. */
  ledger_id: number;
  is_public: number;
  content_type: string;
  width: number;
  height: number;
  description: string;
  blob_id: string;
  created_at: number;
};
export type AvatarRow = {
  account: string;
  id: number;
  uuid: string;
  user_id: number;
  anchor_uuid: string;
  style: string;
  /** JSON: public attachments with their sizes. */
  images: string;
  created_at: number;
};
/** A public page. */
export type OpenPageRow = {
  account: string;
  uuid: string;
  /** Of the record behind it. */
  kind: string;
  record_id: number;
  created_at: number;
};
/** Payments that wait until somebody registers an alias. */
export type WaitingRow = { account: string; type: string; value: string; payment_id: number };
/** An exchange rate for one euro, as text. Currencies without a row use the built-in rate. */
export type RateRow = { account: string; currency: string; rate: string; updated_at: number };

export type Tables = {
  bank_sequence: SequenceRow;
  bank_user: UserRow;
  bank_alias: AliasRow;
  bank_key: KeyRow;
  bank_oauth_client: OauthClientRow;
  bank_oauth_code: OauthCodeRow;
  bank_server_key: ServerKeyRow;
  bank_installation: InstallationRow;
  bank_device: DeviceRow;
  bank_session: SessionRow;
  bank_request_id: RequestIdRow;
  bank_ledger: LedgerRow;
  bank_movement: MovementRow;
  bank_entry: EntryRow;
  bank_payment: PaymentRow;
  bank_insight: InsightRow;
  bank_record: RecordRow;
  bank_open_page: OpenPageRow;
  bank_rate: RateRow;
  bank_waiting: WaitingRow;
  bank_event: EventRow;
  bank_filter: FilterRow;
  bank_share: ShareRow;
  bank_attachment: AttachmentRow;
  bank_avatar: AvatarRow;
  bank_card_secret: CardSecretRow;
  bank_card_use: CardUseRow;
};
export const tables = [
  "bank_sequence",
  "bank_user",
  "bank_alias",
  "bank_key",
  "bank_oauth_client",
  "bank_oauth_code",
  "bank_server_key",
  "bank_installation",
  "bank_device",
  "bank_session",
  "bank_request_id",
  "bank_ledger",
  "bank_movement",
  "bank_entry",
  "bank_payment",
  "bank_insight",
  "bank_record",
  "bank_open_page",
  "bank_rate",
  "bank_waiting",
  "bank_event",
  "bank_filter",
  "bank_share",
  "bank_attachment",
  "bank_avatar",
  "bank_card_secret",
  "bank_card_use",
] as const satisfies readonly (keyof Tables)[];
