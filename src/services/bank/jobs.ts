/**
 * Background jobs of the bank. Deadlines concern records of every room, so their handlers are collected
 * here.
 */
import { jobsFor } from "#kernel/operation";
import {
  type BankContext,
  cleaningJobs,
  deadline,
  findRecordById,
  moveRecord,
  proofJobs,
  type RecordRow,
  type State,
  type Tables,
} from "./book/index.ts";
import { cardJobs, expireChallenge } from "./cards/index.ts";
import { documentJobs } from "./documents/index.ts";
import {
  billingJobs,
  clearingJobs,
  notify,
  returnUnclaimed,
  sortingJobs,
  WAITING,
  waitingJobs,
} from "./money/index.ts";
import { moveTransfer, paymentJobs } from "./payments/index.ts";
import {
  endNotice,
  expireInquiry,
  expireMerchant,
  expireResponse,
  MERCHANT_KINDS,
  requestJobs,
} from "./requests/index.ts";

type AtDeadline = (context: BankContext, record: RecordRow) => Promise<void>;
/** For records that expire if nothing has happened to them. */
const expireIf =
  (status: string): AtDeadline =>
  async (context, record) => {
    if (record.status === status) await moveRecord(context, record, { status: "EXPIRED" });
  };
/** By record kind: the handler that runs when the record's deadline passes. */
const ends: Readonly<Record<string, AtDeadline>> = {
  "challenge-request": expireChallenge,
  "request-inquiry": expireInquiry,
  "request-response": endNotice,
  "vendorme-tab": expireIf("WAITING_FOR_PAYMENT"),
  [WAITING]: returnUnclaimed,
  "currency-conversion-quote": expireIf("PENDING"),
  "transferwise-transfer": moveTransfer,
  "payment-service-provider-issuer-transaction": expireIf("PENDING"),
  ...Object.fromEntries(MERCHANT_KINDS.map((kind) => [kind, expireMerchant])),
};

/** The same if a restore has removed the record. The other side of a request may still be there. */
const endsWithoutRecord: Readonly<Record<string, (context: BankContext, id: number) => Promise<void>>> = {
  "request-inquiry": expireResponse,
};

export const jobs = [
  jobsFor<Tables, State>()({
    ...deadline,
    async run({ kind, id }, context) {
      const record = await findRecordById(context.db, context.account, kind, id);
      if (record) await ends[kind]?.(context, record);
      else await endsWithoutRecord[kind]?.(context, id);
    },
  }),
  notify,
  ...billingJobs,
  ...cardJobs,
  ...cleaningJobs,
  ...clearingJobs,
  ...documentJobs,
  ...paymentJobs,
  ...proofJobs,
  ...requestJobs,
  ...sortingJobs,
  ...waitingJobs,
] as const;
