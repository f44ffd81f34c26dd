/** Makes the monthly invoices and collects them. */
import { jobsFor } from "#kernel/operation";
import type { State, Tables } from "../../book/index.ts";
import { bill, billing, collect, collecting } from "../billing.ts";

const job = jobsFor<Tables, State>();
export const billingJobs = [
  job({ ...billing, run: ({ userId }, context) => bill(context, userId) }),
  job({ ...collecting, run: ({ invoiceId, tries }, context) => collect(context, invoiceId, tries) }),
];
