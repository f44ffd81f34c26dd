/** Plans of keys. Administrators set them; accounts can read their own. */
import { Type } from "@sinclair/typebox";
import { kernelErrors, operationsFor } from "#kernel/operation";
import { DEFAULT_PLAN, MONTHLY_MAX, PER_SECOND_MAX } from "../domain/quota.ts";
import type { State } from "../state.ts";
import * as store from "../store/quota.ts";
import type { Tables } from "../tables.ts";

/** Not metered, so that a user without remaining requests can still read the plan. */
const operation = operationsFor<Tables, State>();
const USAGE_SHOWN_MAX = 100;

const PlanShape = Type.Object({
  monthly_max: Type.Integer({
    minimum: 0,
    maximum: MONTHLY_MAX,
    description: "How many requests the key has in a month.",
    examples: [5_000],
  }),
  per_second_max: Type.Integer({
    minimum: 1,
    maximum: PER_SECOND_MAX,
    description: "How many it has in a second.",
    examples: [10],
  }),
});

const setPlan = operation({
  id: "podcasts.plans.set",
  summary: "Sets the plan of a key, or the default plan of an account",
  description:
    "Only administrators may. `*` is for all keys without a plan of their own. Takes effect immediately on this node, and soon on others.",
  method: "PUT",
  path: "/plans/{account}/{key_name}",
  permission: "podcasts:SetPlan",
  params: Type.Object({
    account: Type.String({
      pattern: "^\\d{12}$",
      description: "The account whose key it is.",
      examples: ["123456789012"],
    }),
    key_name: Type.String({
      minLength: 1,
      maxLength: 200,
      description: "The key's public name; `*` for all that have no plan of their own.",
      examples: ["*"],
    }),
  }),
  body: PlanShape,
  answers: { 200: PlanShape },
  errors: [kernelErrors.forbidden],
  examples: { body: { monthly_max: 5_000, per_second_max: 10 } },
  tags: ["addition"],
  async handle({ params, body }, context) {
    const { db, principal, state } = context;
    if (!principal.admin) throw kernelErrors.forbidden("Plans are set by an administrator.");
    const plan = { monthlyMax: body.monthly_max, perSecondMax: body.per_second_max };
    await store.setPlan(db, params.account, params.key_name, plan);
    context.afterCommit(() => state.meter.rereadPlans());
    return body;
  },
});

const readPlans = operation({
  id: "podcasts.plans.list",
  summary: "Lists the account's plans and the usage of its keys",
  description: `Usage is written about once a second; at most ${USAGE_SHOWN_MAX} entries, by month. Does not count towards a plan.`,
  method: "GET",
  path: "/plans",
  permission: "podcasts:GetPlan",
  answers: {
    200: Type.Object({
      default_plan: PlanShape,
      plans: Type.Array(Type.Composite([Type.Object({ key_name: Type.String() }), PlanShape])),
      usage: Type.Array(
        Type.Object({ key_name: Type.String(), month: Type.String(), requests: Type.Integer() }),
      ),
    }),
  },
  tags: ["addition"],
  async handle(_input, { db, account }) {
    const plans = await store.listPlans(db, account);
    const usage = await store.listUsage(db, account, USAGE_SHOWN_MAX);
    return {
      default_plan: { monthly_max: DEFAULT_PLAN.monthlyMax, per_second_max: DEFAULT_PLAN.perSecondMax },
      plans: plans.map(({ key_name, monthly_max, per_second_max }) => ({
        key_name,
        monthly_max: Number(monthly_max),
        per_second_max: Number(per_second_max),
      })),
      usage: usage.map(({ key_name, month, requests }) => ({ key_name, month, requests: Number(requests) })),
    };
  },
});

export const planOperations = [setPlan, readPlans];
