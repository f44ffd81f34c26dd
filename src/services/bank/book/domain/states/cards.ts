/** How cards and documents may move. */
import type { StateTable, StateTables } from "./table.ts";

const document: StateTable = { initial: "PENDING", moves: { PENDING: ["COMPLETED"] } };

export const cardStates: StateTables = {
  /** The owner may send the current status together with other settings. */
  card: {
    initial: "DEACTIVATED",
    moves: {
      DEACTIVATED: ["DEACTIVATED", "ACTIVE", "LOST", "STOLEN", "CANCELLED", "EXPIRED"],
      ACTIVE: ["ACTIVE", "DEACTIVATED", "PIN_TRIES_EXCEEDED", "LOST", "STOLEN", "CANCELLED", "EXPIRED"],
      PIN_TRIES_EXCEEDED: ["ACTIVE", "LOST", "STOLEN", "CANCELLED", "EXPIRED"],
    },
    asked: ["DEACTIVATED", "ACTIVE", "LOST", "STOLEN", "CANCELLED"],
  },
  /** On the clock, see `ORDER_STEPS`; its owner may hurry its beginning or call it off. */
  "card-order": {
    initial: "NEW_CARD_REQUEST_RECEIVED",
    moves: {
      NEW_CARD_REQUEST_RECEIVED: ["CARD_REQUEST_PENDING", "NEW_CARD_REQUEST_CANCELLED"],
      CARD_REQUEST_PENDING: ["SENT_FOR_PRODUCTION", "NEW_CARD_REQUEST_CANCELLED"],
      SENT_FOR_PRODUCTION: ["ACCEPTED_FOR_PRODUCTION"],
      ACCEPTED_FOR_PRODUCTION: ["SENT_FOR_DELIVERY"],
      SENT_FOR_DELIVERY: ["DELIVERED_TO_CUSTOMER"],
    },
    asked: ["CARD_REQUEST_PENDING", "NEW_CARD_REQUEST_CANCELLED"],
  },
  "generated-cvc2": {
    initial: "AVAILABLE",
    moves: { AVAILABLE: ["USED", "EXPIRED"] },
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
