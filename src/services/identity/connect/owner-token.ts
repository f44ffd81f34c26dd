/** The dashboard's own short-lived credential. */
import type { IssueOwnerToken } from "../seam.ts";
import { signOwnerToken } from "./access-token.ts";
import { OWNER_TOKEN_SECONDS } from "./lifetimes.ts";

export const issueOwnerToken: IssueOwnerToken = async (context) => ({
  token: await signOwnerToken(context),
  maxAgeSeconds: OWNER_TOKEN_SECONDS,
});
