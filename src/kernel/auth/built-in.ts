/** What the admin interface asks for, and what every account may of it without a policy of its own. */
import type { Policy } from "./policies.ts";

/** Everything that concerns the installation: for admin accounts alone, whatever a policy says. */
export const ADMINISTER = "medley:Administer";
/** Looking at one's own requests, jobs, messages and resources. */
export const READ_OWN = "medley:ReadOwn";
/** Saying that one's own messages have arrived, after which whoever waits gets others. */
export const ACKNOWLEDGE_OWN = "medley:AcknowledgeOwn";
/** No policy of its own is needed for the admin interface: not by an admin account, nor by another for its own records. */
const administration: Policy = { effect: "Allow", actions: ["medley:*"], resources: ["*"] };
const ownRecords: Policy = { effect: "Allow", actions: [READ_OWN, ACKNOWLEDGE_OWN], resources: ["*"] };

export const builtInPolicy = (admin: boolean): Policy => (admin ? administration : ownRecords);
