/** Subscriptions: those that the account has used. */
import type { Context, Operation } from "#kernel/operation";
import { listOf, pageOfSubscriptions, requireSubscription, tenantOf } from "#kernel/resource-provider";
import { pageMembers, presentSubscription, SubscriptionAnswer } from "../wire.ts";
import { declaration, versionedQuery } from "./declaration.ts";

const query = versionedQuery(pageMembers);

async function listSubscriptions(context: Context, token: string | undefined) {
  const { names, nextLink } = await pageOfSubscriptions(context, token);
  const tenantId = tenantOf(context.account);
  return {
    value: names.map((name) => presentSubscription(name, tenantId)),
    ...(nextLink !== undefined && { nextLink }),
  };
}

export const subscriptionOperations: readonly Operation[] = [
  {
    ...declaration({ id: "subscriptions.list", path: "/subscriptions", permission: "subscriptions/read" }),
    summary: "Lists the account's subscriptions.",
    description: "A subscription exists from its first use, and belongs to the account that used it first.",
    method: "GET",
    query,
    answers: { 200: listOf(SubscriptionAnswer) },
    handle: ({ query: { $skipToken } }, context) => listSubscriptions(context, $skipToken),
  },
  {
    ...declaration({
      id: "subscriptions.get",
      path: "/subscriptions/{subscriptionId}",
      permission: "subscriptions/read",
    }),
    summary: "Reads a subscription.",
    description:
      "A subscription of another account is refused; an unused one is claimed by the caller's account.",
    method: "GET",
    query,
    answers: { 200: SubscriptionAnswer },
    async handle({ params: { subscriptionId } }, context) {
      await requireSubscription(context, subscriptionId);
      return presentSubscription(subscriptionId, tenantOf(context.account));
    },
  },
];
