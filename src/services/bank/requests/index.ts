/**
 * Public interface of `requests`: requests for money, payment pages, direct debits and merchants. Imports
 * money and book.
 */
export { collect, endNotice } from "./direct-debits.ts";
export { MERCHANT_KINDS } from "./domain/merchants.ts";
export { requestJobs } from "./jobs.ts";
export { expireMerchant } from "./merchants.ts";
export { merchantOperations } from "./operations/merchants.ts";
export { pageOperations } from "./operations/pages.ts";
export { InquiryBody, inquiryOf, requestOperations } from "./operations/requests.ts";
export { tabOperations } from "./operations/tabs.ts";
export { whitelistOperations } from "./operations/whitelists.ts";
export { findPayable, noteResult, type Payable } from "./payables.ts";
export { cancelProvided, createProvidedDraft, settleProvided } from "./providers.ts";
export {
  answerRequest,
  expireInquiry,
  expireResponse,
  Inquiry,
  makeInquiry,
  tellInquiry,
} from "./requests.ts";
export { getPictures, handOver } from "./shared-pictures.ts";
export { DraftKept } from "./views/drafts.ts";
export { Entry, type EntryBody, entryView } from "./views/orders.ts";
export { IssuerKept, ProvidedDraftKept } from "./views/providers.ts";
export { RequestKept } from "./views/requests.ts";
export { WHITELIST_KINDS } from "./views/whitelists.ts";
