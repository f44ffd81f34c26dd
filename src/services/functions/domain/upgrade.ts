/** How a function of the first generation becomes one of the second, step by step. */
import { errors } from "../errors.ts";
import type { Upgrade } from "./function.ts";

export type UpgradeStep = "setup" | "redirect" | "rollback" | "commit" | "abort";

export const ELIGIBLE = "ELIGIBLE_FOR_2ND_GEN_UPGRADE";
const SET_UP = "SETUP_FUNCTION_UPGRADE_CONFIG_SUCCESSFUL";
const REDIRECTED = "REDIRECT_FUNCTION_UPGRADE_TRAFFIC_SUCCESSFUL";

/** From which state each step leads where; undefined: the upgrade is over. */
const STEPS: Readonly<
  Record<UpgradeStep, { readonly from: readonly string[]; readonly to: string | undefined }>
> = {
  setup: { from: [ELIGIBLE], to: SET_UP },
  redirect: { from: [SET_UP], to: REDIRECTED },
  rollback: { from: [REDIRECTED], to: SET_UP },
  commit: { from: [REDIRECTED], to: undefined },
  abort: { from: [SET_UP, REDIRECTED], to: ELIGIBLE },
};

/** The state after the step. Throws if the step is not allowed now. */
export function stepUpgrade(
  environment: string,
  upgrade: Upgrade | undefined,
  step: UpgradeStep,
): Upgrade | undefined {
  if (environment !== "GEN_1")
    throw errors.failedPrecondition("The function is of the second generation already.");
  const state = upgrade?.state ?? ELIGIBLE;
  const { from, to } = STEPS[step];
  if (!from.includes(state))
    throw errors.failedPrecondition(`The upgrade cannot take this step while it is in the state ${state}.`);
  return to === undefined ? undefined : { state: to };
}
