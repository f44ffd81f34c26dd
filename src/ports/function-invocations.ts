/** Functions that other services may call by name; without a functions service nobody answers to one. */
import { type Context, defineJoinedPort } from "#kernel/operation";

export type Invocation = { readonly functionArn: string; readonly payload: string };
export type FunctionInvocations = {
  /** Joins the caller's transaction; answers whether there is such a function, which is then called later. */
  invoke(context: Context, invocation: Invocation): Promise<boolean>;
};

export const functionInvocations = defineJoinedPort<FunctionInvocations, FunctionInvocations>(
  "functions.invocations",
  (offers) => ({
    async invoke(context, invocation) {
      for (const offer of offers) if (await offer.invoke(context, invocation)) return true;
      return false;
    },
  }),
);
