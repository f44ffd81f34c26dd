/** How records of access, sharing and the like may move. */
import type { StateTable, StateTables } from "./table.ts";

const share: StateTable = {
  initial: "PENDING",
  moves: { PENDING: ["ACTIVE", "REJECTED", "REVOKED"], ACTIVE: ["REVOKED", "CANCELLED"] },
};

export const accessStates: StateTables = {
  "monetary-account": {
    initial: "ACTIVE",
    /**
     * Clients may send the current status together with other settings. `BLOCKED` to `BLOCKED` changes the
     * kind of block.
     */
    moves: {
      ACTIVE: ["ACTIVE", "BLOCKED", "CANCELLED"],
      BLOCKED: ["BLOCKED", "ACTIVE"],
      CANCELLED: ["PENDING_REOPEN"],
      PENDING_REOPEN: ["ACTIVE", "CANCELLED"],
    },
    asked: ["ACTIVE", "BLOCKED", "CANCELLED", "PENDING_REOPEN"],
  },
  /** One record, seen by who invites and by who is invited. */
  "share-invite-monetary-account-inquiry": { ...share, asked: ["REVOKED", "CANCELLED"] },
  "share-invite-monetary-account-response": { ...share, asked: ["ACTIVE", "REJECTED", "CANCELLED"] },
  "challenge-request": {
    initial: "PENDING",
    moves: {
      PENDING: ["ACCEPTED_PENDING_RESPONSE", "REJECTED_PENDING_RESPONSE", "ACCEPTED", "REJECTED", "EXPIRED"],
    },
    asked: ["ACCEPTED_PENDING_RESPONSE", "REJECTED_PENDING_RESPONSE"],
  },
  /** A rule is sent whole, its status with it. */
  "permitted-ip": {
    initial: "ACTIVE",
    moves: { ACTIVE: ["ACTIVE", "INACTIVE"], INACTIVE: ["ACTIVE", "INACTIVE"] },
    asked: ["ACTIVE", "INACTIVE"],
  },
  "oauth-client": { initial: "ACTIVE", moves: { ACTIVE: ["CANCELLED"] }, asked: ["CANCELLED"] },
};
