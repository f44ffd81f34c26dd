/** How cards and documents may move. */
import type { StateTable, StateTables } from "./table.ts";

const document: StateTable = { initial: "PENDING", moves: { PENDING: ["COMPLETED"] } };

export const cardStates: StateTables = {
  /** By its owner; `EXPIRED` and `PIN_TRIES_EXCEEDED` are the bank's to set. */
  card: {
    initial: "DEACTIVATED",
    moves: {
      DEACTIVATED: ["ACTIVE", "LOST", "STOLEN", "CANCELLED"],
      ACTIVE: ["DEACTIVATED", "LOST", "STOLEN", "CANCELLED"],
      PIN_TRIES_EXCEEDED: ["ACTIVE", "LOST", "STOLEN", "CANCELLED"],
    },
  },
  /** By its owner; further on the clock, see `ORDER_STEPS`. */
  "card-order": {
    initial: "NEW_CARD_REQUEST_RECEIVED",
    moves: {
      NEW_CARD_REQUEST_RECEIVED: ["CARD_REQUEST_PENDING", "NEW_CARD_REQUEST_CANCELLED"],
      CARD_REQUEST_PENDING: ["NEW_CARD_REQUEST_CANCELLED"],
    },
  },
  "generated-cvc2": {
    initial: "AVAILABLE",
    moves: { AVAILABLE: ["USED", "EXPIRED", "BLOCKED"] },
  },
  "mastercard-action": {
    initial: "AUTHORISED",
    moves: { AUTHORISED: ["REVERSED", "SETTLED", "EXPIRED"], SETTLED: ["REFUNDED"] },
  },
  "customer-statement": document,
  "export-statement-card-csv": document,
  "export-statement-card-pdf": document,
  "export-annual-overview": document,
  "export-rib": document,
  statement: document,
  /** A change makes it anew. */
  "invoice-export": { initial: "PENDING", moves: { PENDING: ["COMPLETED"], COMPLETED: ["PENDING"] } },
  invoice: { initial: "OPEN", moves: { OPEN: ["PAID"] } },
};
