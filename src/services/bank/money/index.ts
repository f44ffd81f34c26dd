/**
 * Public interface of `money`: accounts, and how money moves between them. Every payment ends in paying.ts.
 * Imports book.
 */
export { allocation, withRules } from "./allocation-plan.ts";
export {
  ACCOUNT_INVOICE,
  bill,
  charge,
  collect,
  invoiceBodyOf,
  SUBSCRIPTION,
  SubscriptionBody,
  subscribe,
} from "./billing.ts";
export { recallPayments } from "./clearing.ts";
export { nextClearingMs } from "./clearing-times.ts";
export { exchangeOf, getRate, QUOTE, setRate, takeQuote } from "./conversions.ts";
export { documentWork, type Made } from "./document-work.ts";
export { invoiceSums, itemSums, PRICES, VAT_PERCENT } from "./domain/billing.ts";
export { CERTIFICATES_MAX, certificatesIn, PinnedChain } from "./domain/certificates.ts";
export { dayText, laterMonth, monthStart, nextDay, readTime, yearOf } from "./domain/days.ts";
export { findFriend, isGenerous } from "./domain/friends.ts";
export { readIban } from "./domain/iban.ts";
export { Label, UserLabel } from "./domain/labels.ts";
export { ACCOUNTS_MAX, MONTH_MS, MONTHLY_LIMIT } from "./domain/limits.ts";
export { amountOf, amountText, digitsOf, isCurrency, Money, readAmount } from "./domain/money.ts";
export { FAILURE, FailureKept } from "./domain/notification-failures.ts";
export { convert, RATES } from "./domain/rates.ts";
export { isRecurrence, occurrenceOf, type Recurrence, Rhythm, readInstant } from "./domain/times.ts";
export { openFundraiser } from "./fundraisers.ts";
export { billingJobs } from "./jobs/billing.ts";
export { clearingJobs } from "./jobs/clearing.ts";
export { notify } from "./jobs/notify.ts";
export { sortingJobs } from "./jobs/sorting.ts";
export { waitingJobs } from "./jobs/waiting.ts";
export { freeIban, openLedger } from "./opening.ts";
export { accountOperations, requireRoom } from "./operations/accounts.ts";
export { claimOperations } from "./operations/claims.ts";
export { conversionOperations } from "./operations/conversions.ts";
export { insightOperations } from "./operations/insights.ts";
export * from "./operations/open-pages.ts";
export { shareOperations } from "./operations/shares.ts";
export { pages, problem, renderGone, renderProblem } from "./pages/site.ts";
export {
  findInside,
  findTarget,
  labelled,
  moveOwn,
  type Order,
  PointerTo,
  pay,
  receive,
  type Source,
  type Target,
} from "./paying.ts";
export * from "./store/attachments.ts";
export { getKnownLedger, getKnownUser } from "./store/known.ts";
export { findPayment, listPaymentsOfBatch, noteReference, pageOfPayments } from "./store/payments.ts";
export {
  countUsers,
  deleteKeysOfClient,
  findAlias,
  findDefaultUser,
  findKey,
  findKeyById,
  findUser,
  findUserByCertificate,
  insertAlias,
  insertKey,
  insertUser,
  listAliases,
  pageOfKeys,
  updatePermittedIps,
  updateUser,
} from "./store/users.ts";
export { labelOfUser, PEOPLES_KINDS } from "./views/accounts.ts";
export { QuoteKept } from "./views/conversions.ts";
export { INVOICE, type InvoiceBody, invoiceView } from "./views/invoices.ts";
export {
  AddressBody,
  getInstant,
  getMoney,
  getPositive,
  getWebAddress,
  messagesOf,
} from "./views/members.ts";
export { paymentView } from "./views/payments.ts";
export { ProfileKept, TabKept } from "./views/tabs.ts";
export { beginWaiting, claimByName, mayWaitFor, returnUnclaimed, strangerLabel, WAITING } from "./waiting.ts";
export { MonetaryAccount, monetaryAccountView } from "./wire/accounts.ts";
export { Event, eventView } from "./wire/events.ts";
export {
  Address,
  Description,
  ErrorMessage,
  Instant,
  PointerBody,
  Reference,
  StatusBody,
} from "./wire/members.ts";
export { Payment, ShownAttachment } from "./wire/payments.ts";
