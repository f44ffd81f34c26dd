/**
 * Public interface of `payments`: orders that are immediate, batched, drafted, scheduled, shared out or sent
 * abroad. Imports requests, money and book.
 */
export { moveTransfer } from "./abroad.ts";
export { paymentJobs } from "./jobs.ts";
export { abroadOperations } from "./operations/abroad.ts";
export { allocationOperations } from "./operations/allocations.ts";
export { batchOperations } from "./operations/batches.ts";
export { beneficiaryOperations } from "./operations/beneficiaries.ts";
export { draftOperations } from "./operations/drafts.ts";
export { paymentOperations } from "./operations/payments.ts";
export { providerOperations } from "./operations/providers.ts";
export { scheduleOperations } from "./operations/schedules.ts";
