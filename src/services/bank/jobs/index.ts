/** Durable work of the bank. */
import { billingJobs } from "./billing.ts";
import { cardJobs } from "./cards.ts";
import { cleaningJobs } from "./cleaning.ts";
import { documentJobs } from "./documents.ts";
import { notify } from "./notify.ts";
import { paymentJobs } from "./payments.ts";
import { proofJobs } from "./proof.ts";
import { sortingJobs } from "./sorting.ts";

export const jobs = [
  notify,
  ...billingJobs,
  ...cardJobs,
  ...cleaningJobs,
  ...documentJobs,
  ...paymentJobs,
  ...proofJobs,
  ...sortingJobs,
] as const;
