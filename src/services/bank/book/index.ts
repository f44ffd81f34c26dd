/**
 * Public interface of `book`: the ledger, all stored records, and the base of all operations. Imports no
 * other room.
 */
export { clearDeadline, deadline, setDeadline } from "./deadlines.ts";
export { isPermitted } from "./domain/addresses.ts";
export {
  type LedgerDetails,
  ledgerDetails,
  type PaymentDetails,
  paymentDetails,
  type ShareDetails,
  shareDetails,
  userDetails,
} from "./domain/details.ts";
export {
  emptyKind,
  getKind,
  type KeptOf,
  keptBody,
  keptIn,
  keptText,
  recordKind,
  type Unchanging,
} from "./domain/kinds.ts";
export type { OwnKind } from "./domain/posting.ts";
export type { RateLimit } from "./domain/rate-limits.ts";
export { ACCESS_TYPES, type AccessType, isRunning } from "./domain/rights.ts";
export { isMoveAllowed, recordStates } from "./domain/states/index.ts";
export { errors } from "./errors.ts";
export {
  CATEGORIES,
  type Category,
  type Happening,
  happened,
  noteHappenings,
  notification,
} from "./happening.ts";
export { cleaningJobs } from "./jobs/cleaning.ts";
export { proofJobs } from "./jobs/proof.ts";
export { migrations } from "./migrations.ts";
export { openPage } from "./open-pages.ts";
export { collection, type Params, recordTimes, timesOf } from "./operations/collection.ts";
export { callerOf, getLedger, listOf, mayUse, operation, requireUser } from "./operations/operation.ts";
export { belowLedger, belowUser, ledgerIn } from "./operations/places.ts";
export { createRecord, moveRecord, requireAsked, tell } from "./records.ts";
export {
  type BankContext,
  type Caller,
  forget,
  type OpenSandbox,
  principalFor,
  type State,
  start,
} from "./state.ts";
export {
  endSession,
  endSessions,
  findDevice,
  findDeviceOf,
  findSession,
  insertDevice,
  insertInstallation,
  insertRequestId,
  insertSession,
  pageOfDevices,
} from "./store/access.ts";
export { listBookLedgers, listBookPayments, listBookRecords, listMovedLedgers } from "./store/book.ts";
export { type Db, numbersIn } from "./store/db.ts";
export {
  deleteFilters,
  findEvent,
  findFilter,
  insertFilter,
  listFilters,
  pageOfEvents,
} from "./store/events.ts";
export { balanceDifferences, Differences, raiseSequence } from "./store/exchanged-entries.ts";
export {
  countPayments,
  findLedger,
  findNamedLedger,
  getOwnLedger,
  insertLedger,
  type Owner,
  pageOfLedgers,
  post,
  type Refusal,
  spentByUserSince,
  spentSince,
  takesMoney,
  updateSettings,
} from "./store/ledger.ts";
export { findOpenPage } from "./store/open-pages.ts";
export { proveBooks } from "./store/proof.ts";
export {
  countRecords,
  deleteRecord,
  findRecord,
  findRecordById,
  insertRecord,
  listNewestRecords,
  listRecords,
  newestFirst,
  pageOfRecords,
  type RecordPlace,
  updateRecord,
} from "./store/records.ts";
export { takeId, takeIds } from "./store/sequence.ts";
export { findShare, insertShare, listActiveShares, pageOfShares, updateShare } from "./store/shares.ts";
export { type Slice, sliceOf } from "./store/slices.ts";
export {
  type AnyRow,
  deleteAccess,
  deleteKeylessSessions,
  deleteUserRows,
  insertUserRows,
  isNumeric,
  listTaken,
  rowsOfUser,
  USER_TABLES,
  type UserTable,
} from "./store/whole-users.ts";
export {
  type AliasRow,
  type AttachmentRow,
  type AvatarRow,
  type CardSecretRow,
  type CardUseRow,
  type DeviceRow,
  type EventRow,
  type FilterRow,
  type InsightRow,
  type KeyRow,
  type LedgerRow,
  type OauthClientRow,
  type OauthCodeRow,
  type OpenPageRow,
  type PaymentRow,
  type RateRow,
  type RecordRow,
  type ShareRow,
  type Tables,
  tables,
  type UserRow,
  type WaitingRow,
} from "./tables.ts";
export { idOf, timeText } from "./views/shared.ts";
export { type BankOperation, envelopeOf } from "./wire/envelope.ts";
export {
  Amount,
  Avatar,
  BareId,
  Id,
  Image,
  itemParams,
  LabelMonetaryAccount,
  LabelUser,
  ListQuery,
  ledgerParams,
  Pointer,
  userParams,
} from "./wire/shared.ts";
