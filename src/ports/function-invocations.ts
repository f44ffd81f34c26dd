/** Functions that other services may call by name; without a functions service nobody answers to one. */
import { type Context, defineJoinedPort, firstAnswer } from "#kernel/operation";

export type Invocation = { readonly functionArn: string; readonly payload: string };
export type FunctionInvocations = {
  /** Joins the caller's transaction; answers whether there is such a function, which is then called later. */
  invoke(context: Context, invocation: Invocation): Promise<boolean>;
};

export const functionInvocations = defineJoinedPort(
  "functions.invocations",
  firstAnswer<FunctionInvocations>({ invoke: false }),
);
