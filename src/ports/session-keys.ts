/** Access keys of sessions, which the token service hands out and every signed service takes. */
import type { KnownAccessKey } from "#kernel/auth";
import { type Context, definePort } from "#kernel/operation";

export type SessionKeys = {
  /** Expired ones as well, for a while, so that their callers can be told. */
  find(context: Context, id: string): Promise<KnownAccessKey | undefined>;
};
export const sessionKeys = definePort<SessionKeys>("session-keys");
