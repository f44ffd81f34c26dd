/** How records that move money may move themselves. */
import type { StateTable, StateTables } from "./table.ts";

const request: StateTable = {
  initial: "PENDING",
  moves: { PENDING: ["ACCEPTED", "REJECTED", "REVOKED", "EXPIRED"] },
};
const draft: StateTable = {
  initial: "PENDING",
  moves: { PENDING: ["ACCEPTED", "REJECTED", "CANCELLED"] },
};
const merchantTransaction: StateTable = {
  initial: "OPEN",
  moves: { OPEN: ["SUCCESS", "FAILURE", "CANCELLED", "EXPIRED"] },
};
const scheduled: StateTable = {
  initial: "ACTIVE",
  moves: { ACTIVE: ["FINISHED", "CANCELLED"] },
};
const whitelist: StateTable = { initial: "ACTIVE", moves: {} };

export const paymentStates: StateTables = {
  "request-inquiry": { ...request, asked: ["REVOKED"] },
  /** Only direct debits are refunded. */
  "request-response": {
    initial: "PENDING",
    moves: { ...request.moves, ACCEPTED: ["REFUND_REQUESTED"], REFUND_REQUESTED: ["REFUNDED"] },
    asked: ["ACCEPTED", "REJECTED", "REFUND_REQUESTED"],
  },
  "request-inquiry-batch": { initial: "PENDING", moves: { PENDING: ["REVOKED"] }, asked: ["REVOKED"] },
  "payment-batch": { initial: "FINISHED", moves: { FINISHED: ["REVOKED"] }, asked: ["REVOKED"] },
  "draft-payment": { ...draft, asked: ["ACCEPTED", "REJECTED", "CANCELLED"] },
  schedule: scheduled,
  "schedule-payment": scheduled,
  "schedule-payment-batch": scheduled,
  "schedule-request-inquiry": scheduled,
  "schedule-request-inquiry-batch": scheduled,
  "schedule-instance": {
    initial: "PENDING",
    moves: {
      PENDING: ["SKIPPED", "FINISHED_SUCCESSFULLY", "FAILED_USER_ERROR", "CANCELLED"],
      FAILED_USER_ERROR: ["RETRY"],
      RETRY: ["FINISHED_SUCCESSFULLY", "FAILED_USER_ERROR"],
    },
    asked: ["SKIPPED", "RETRY"],
  },
  "vendorme-tab": {
    initial: "WAITING_FOR_PAYMENT",
    moves: { WAITING_FOR_PAYMENT: ["CANCELLED", "EXPIRED"] },
    asked: ["CANCELLED"],
  },
  /** With its account. */
  "vendorme-fundraiser-profile": {
    initial: "ACTIVE",
    moves: { ACTIVE: ["DEACTIVATED"], DEACTIVATED: ["ACTIVE"] },
  },
  "ideal-merchant-transaction": merchantTransaction,
  "sofort-merchant-transaction": merchantTransaction,
  "open-banking-merchant-transaction": merchantTransaction,
  "currency-conversion-quote": {
    initial: "PENDING",
    moves: { PENDING: ["ACCEPTED", "CANCELLED", "EXPIRED"] },
    asked: ["ACCEPTED", "CANCELLED"],
  },
  "transferwise-transfer": {
    initial: "PENDING",
    moves: { PENDING: ["PROCESSING"], PROCESSING: ["COMPLETED", "REFUNDED"] },
  },
  "payment-auto-allocate": { initial: "ACTIVE", moves: { ACTIVE: ["FINISHED"] } },
  "payment-delayed": { initial: "PENDING", moves: { PENDING: ["EXECUTED", "FAILED"] } },
  "waiting-money": { initial: "PENDING", moves: { PENDING: ["ACCEPTED", "EXPIRED"] } },
  "payment-service-provider-draft-payment": { ...draft, asked: ["CANCELLED"] },
  "payment-service-provider-issuer-transaction": {
    initial: "PENDING",
    moves: { PENDING: ["ACCEPTED", "REJECTED", "CANCELLED", "EXPIRED"] },
    asked: ["CANCELLED"],
  },
  "whitelist-sdd-one-off": whitelist,
  "whitelist-sdd-recurring": whitelist,
};
