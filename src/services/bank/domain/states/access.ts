/** How records of access, sharing and the like may move. */
import type { StateTables } from "./table.ts";

export const accessStates: StateTables = {
  "monetary-account": {
    initial: "ACTIVE",
    moves: {
      ACTIVE: ["BLOCKED", "CANCELLED"],
      BLOCKED: ["ACTIVE"],
      CANCELLED: ["PENDING_REOPEN"],
      PENDING_REOPEN: ["ACTIVE", "CANCELLED"],
    },
  },
  share: {
    initial: "PENDING",
    moves: { PENDING: ["ACTIVE", "REJECTED", "REVOKED"], ACTIVE: ["REVOKED", "CANCELLED"] },
  },
  "challenge-request": {
    initial: "PENDING",
    moves: {
      PENDING: ["ACCEPTED_PENDING_RESPONSE", "REJECTED_PENDING_RESPONSE", "ACCEPTED", "REJECTED", "EXPIRED"],
    },
  },
  /** A rule is sent whole, its status with it. */
  "permitted-ip": {
    initial: "ACTIVE",
    moves: { ACTIVE: ["ACTIVE", "INACTIVE"], INACTIVE: ["ACTIVE", "INACTIVE"] },
  },
  "oauth-client": { initial: "ACTIVE", moves: { ACTIVE: ["CANCELLED"] } },
};
