/** The permissions of the admin interface, and what every account may do there without a policy. */
import type { Policy } from "./policies.ts";

/** Everything about the installation. Only for admin accounts, whatever a policy says. */
export const ADMINISTER = "medley:Administer";
/** Reading the account's own requests, jobs, messages and resources. */
export const READ_OWN = "medley:ReadOwn";
/** Acknowledging the account's own messages, so that waiting callers get the next ones. */
export const ACKNOWLEDGE_OWN = "medley:AcknowledgeOwn";
/** The admin interface needs no policy: neither for admin accounts, nor for the own records of other accounts. */
const administration: Policy = { effect: "Allow", actions: ["medley:*"], resources: ["*"] };
const ownRecords: Policy = { effect: "Allow", actions: [READ_OWN, ACKNOWLEDGE_OWN], resources: ["*"] };

export const builtInPolicy = (admin: boolean): Policy => (admin ? administration : ownRecords);

/** Who one is, everybody may ask: no policy forbids it. */
export const IDENTIFY = "sts:GetCallerIdentity";
