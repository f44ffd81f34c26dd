/** Who shows secrets, as far as guessing is concerned: from where, under which name, and whether they were right before. */
import type { Guess } from "../auth/guessing.ts";
import { basicCredentialsOf } from "../protocols/credentials.ts";
import type { Call, Protocol } from "../protocols/protocol.ts";
import type { Kernel } from "../runtime/kernel.ts";

export const guessOf = (call: Call): Guess => ({
  address: call.callerAddress(),
  name: basicCredentialsOf(call)?.username,
});

/** Whoever shows what was right a while ago is no guesser, whatever else comes from the same address. */
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
