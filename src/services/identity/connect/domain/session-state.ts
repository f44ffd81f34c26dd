/** OpenID session management: lets an application learn, without asking us, whether the sign-in has changed. */
import { createHash } from "node:crypto";

/**
 * Salted, so that it tells nothing to those who do not hold the browser's own state. The session iframe computes the
 * same with the script of `session-iframe.ts`.
 */
export function sessionStateOf(given: {
  readonly clientId: string;
  readonly origin: string;
  readonly browserState: string;
  readonly salt: string;
}): string {
  const { clientId, origin, browserState, salt } = given;
  const hash = createHash("sha256").update(`${clientId} ${origin} ${browserState} ${salt}`).digest("hex");
  return `${hash}.${salt}`;
}
