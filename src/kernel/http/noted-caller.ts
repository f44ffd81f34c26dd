/** Operations without a required credential still recognise a valid one. A wrong one changes nothing. */
import type { Principal } from "../operation/context.ts";
import { ServiceError } from "../operation/errors.ts";
import type { Service } from "../operation/service.ts";
import { WrongCredential } from "../protocols/credentials.ts";
import type { Call, PathParams } from "../protocols/protocol.ts";
import type { Kernel } from "../runtime/kernel.ts";
import { guessOf, isKnownGood } from "./guesses.ts";

export async function findNotedCaller(
  kernel: Kernel,
  { name, protocol }: Service,
  call: Call,
  params: PathParams,
): Promise<Principal | undefined> {
  const { guessing } = kernel;
  if (protocol.findShownSecret?.(call) === undefined) return undefined;
  if (!guessing.isQuiet && !isKnownGood(kernel, protocol, call)) guessing.refuseTooMany(guessOf(call));
  try {
    return (await protocol.authenticate(call, kernel, params, kernel.stateOf(name))).principal;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.kind.kernel !== "unauthenticated") throw error;
    if (error instanceof WrongCredential) guessing.note(guessOf(call), error.secret);
    return undefined;
  }
}
