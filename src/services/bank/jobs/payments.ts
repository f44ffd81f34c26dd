/** Work that falls due: schedules, clearing, and whatever ends by itself. */
import { jobsFor } from "#kernel/operation";
import { expireChallenge } from "../card-challenges.ts";
import { MERCHANT_KINDS } from "../domain/merchants.ts";
import { moveTransfer } from "../effects/abroad.ts";
import { allocation } from "../effects/allocation-plan.ts";
import { allocate } from "../effects/allocations.ts";
import { arrival, arrive } from "../effects/arrivals.ts";
import { clear } from "../effects/clearing.ts";
import { clearing } from "../effects/clearing-times.ts";
import { expireQuote } from "../effects/conversions.ts";
import { deadline } from "../effects/deadlines.ts";
import { endNotice } from "../effects/direct-debits.ts";
import { expireMerchant } from "../effects/merchants.ts";
import { expireTab } from "../effects/payables.ts";
import { expireProvided } from "../effects/providers.ts";
import { expireInquiry } from "../effects/requests.ts";
import { fallDue, falling } from "../effects/schedules.ts";
import { returnUnclaimed, WAITING } from "../effects/waiting.ts";
import type { BankContext, State } from "../state.ts";
import type { Tables } from "../tables.ts";

const job = jobsFor<Tables, State>();

/** By the kind of the record: what happens when its time is over. */
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

export const paymentJobs = [
  job({
    ...deadline,
    run: async ({ kind, id }, context) => ends[kind]?.(context, id),
  }),
  job({ ...clearing, run: ({ ledgerId, paymentId }, context) => clear(context, ledgerId, paymentId) }),
  job({
    ...allocation,
    transaction: "manual",
    run: ({ ledgerId, paymentId }, context) => allocate(context, ledgerId, paymentId),
  }),
  job({ ...arrival, run: (wanted, context) => arrive(context, wanted) }),
  job({ ...falling, transaction: "manual", run: ({ instanceId }, context) => fallDue(context, instanceId) }),
];
