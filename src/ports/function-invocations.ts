/** Functions that other services call by name. Without the functions service, none exists. */
import { type Context, defineJoinedPort, firstAnswer } from "#kernel/operation";

export type Invocation = { readonly functionArn: string; readonly payload: string };
export type FunctionInvocations = {
  /** Queues the call in the caller's transaction. Returns false if the function does not exist. */
  invoke(context: Context, invocation: Invocation): Promise<boolean>;
};

export const functionInvocations = defineJoinedPort(
  "functions.invocations",
  firstAnswer<FunctionInvocations>({ invoke: false }),
);
