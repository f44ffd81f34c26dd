/**
 * The caller for the limit on guessing: its address, its user name, and whether its credential was correct before.
 */
import type { Guess } from "../auth/guessing.ts";
import { basicCredentialsOf } from "../protocols/credentials.ts";
import type { Call, Protocol } from "../protocols/protocol.ts";
import type { Kernel } from "../runtime/kernel.ts";

export const guessOf = (call: Call): Guess => ({
  address: call.callerAddress(),
  name: basicCredentialsOf(call)?.username,
});

/** A credential that was correct recently is no guess, whatever else comes from the same address. */
export function isKnownGood({ accounts, guessing }: Kernel, protocol: Protocol, call: Call): boolean {
  const shown = protocol.findShownSecret?.(call);
  if (!shown) return false;
  if (shown.kind === "accessKey") return true;
  return shown.kind === "basic"
    ? guessing.wasGood(guessOf(call), shown.secret)
    : accounts.wasGood(shown.kind, shown.secret);
}

export function noteGoodPassword({ guessing }: Kernel, call: Call): void {
  const given = basicCredentialsOf(call);
  if (given) guessing.noteGood(guessOf(call), given.password);
}
