/**
 * Temporary access keys of sessions. The token service issues them, and every signed service accepts them.
 */
import type { KnownAccessKey } from "#kernel/auth";
import { type Context, definePort } from "#kernel/operation";

export type SessionKeys = {
  /** Also returns recently expired keys, so that the error can say that the key expired. */
  find(context: Context, id: string): Promise<KnownAccessKey | undefined>;
};
export const sessionKeys = definePort<SessionKeys>("session-keys");
