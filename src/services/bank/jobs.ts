/**
 * Background jobs of the bank. Deadlines concern records of every room, so their handlers are collected
 * here.
 */
import { jobsFor } from "#kernel/operation";
import {
  type BankContext,
  cleaningJobs,
  deadline,
  proofJobs,
  type State,
  type Tables,
} from "./book/index.ts";
import { cardJobs, expireChallenge } from "./cards/index.ts";
import { documentJobs } from "./documents/index.ts";
import {
  billingJobs,
  clearingJobs,
  expireQuote,
  notify,
  returnUnclaimed,
  sortingJobs,
  WAITING,
} from "./money/index.ts";
import { moveTransfer, paymentJobs } from "./payments/index.ts";
import {
  endNotice,
  expireInquiry,
  expireMerchant,
  expireProvided,
  expireTab,
  MERCHANT_KINDS,
  requestJobs,
} from "./requests/index.ts";

/** By record kind: the handler that runs when the record's deadline passes. */
const ends: Readonly<Record<string, (context: BankContext, id: number) => Promise<void>>> = {
  "challenge-request": expireChallenge,
  "request-inquiry": expireInquiry,
  "request-response": endNotice,
  "vendorme-tab": expireTab,
  [WAITING]: returnUnclaimed,
  "currency-conversion-quote": expireQuote,
  "transferwise-transfer": moveTransfer,
  "payment-service-provider-issuer-transaction": expireProvided,
  ...Object.fromEntries(
    MERCHANT_KINDS.map((kind) => [
      kind,
      (context: BankContext, id: number) => expireMerchant(context, kind, id),
    ]),
  ),
};

export const jobs = [
  jobsFor<Tables, State>()({
    ...deadline,
    run: async ({ kind, id }, context) => ends[kind]?.(context, id),
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
] as const;
