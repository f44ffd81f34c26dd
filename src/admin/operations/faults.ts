/** Fault rules. */
import { type Static, Type } from "@sinclair/typebox";
import { kernelErrors, noBody, operationsFor } from "#kernel/operation";
import type { Kernel } from "#kernel/runtime";
import { ADMIN_PERMISSION } from "../protocol.ts";

const operation = operationsFor<unknown>();
const Name = Type.String({ minLength: 1, maxLength: 200 });
const Rule = Type.Object(
  {
    id: Type.Optional(Name),
    match: Type.Object(
      { service: Type.Optional(Name), operation: Type.Optional(Name), account: Type.Optional(Name) },
      { additionalProperties: false },
    ),
    latencyMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 60_000 })),
    status: Type.Optional(Type.Integer({ minimum: 400, maximum: 599 })),
    error: Type.Optional(Name),
    message: Type.Optional(Type.String({ maxLength: 1000 })),
    headers: Type.Optional(
      Type.Record(
        Type.String({ pattern: "^[a-z0-9-]{1,64}$" }),
        Type.String({ pattern: "^[ -~]{0,1000}$" }),
        {
          additionalProperties: false,
          maxProperties: 20,
          description: "Headers of the answer, in lower case.",
          examples: [{ "retry-after": "30" }],
        },
      ),
    ),
    rate: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    count: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false },
);
const RuleView = Type.Object({ ...Rule.properties, id: Name, struck: Type.Integer() });
const Rules = Type.Object({ rules: Type.Array(RuleView) });

/** Rejects a rule without effect, or for an unknown service or operation: it is probably a mistake. */
function checkRule(kernel: Kernel, { match, ...rule }: Static<typeof Rule>): void {
  if (rule.latencyMs === undefined && rule.status === undefined && rule.error === undefined)
    throw kernelErrors.invalidInput("A rule needs latencyMs, status or error: without them it does nothing.");
  const isKnown = (wanted: string | undefined, names: readonly string[]) =>
    wanted === undefined || wanted.endsWith("*") || names.includes(wanted);
  if (
    !isKnown(
      match.service,
      kernel.services.map(({ name }) => name),
    )
  )
    throw kernelErrors.invalidInput(`There is no service named ${match.service}.`);
  const operations = kernel.services.flatMap((service) => service.operations.map(({ id }) => id));
  if (!isKnown(match.operation, operations))
    throw kernelErrors.invalidInput(`There is no operation named ${match.operation}.`);
}

export function faultOperations(kernel: Kernel) {
  const view = async () => ({ rules: await kernel.faults.view() });
  return [
    operation({
      id: "medley.faults.list",
      summary: "Lists the fault rules",
      description: "With how often each was applied.",
      method: "GET",
      path: "/faults",
      permission: ADMIN_PERMISSION,
      answers: { 200: Rules },
      handle: view,
    }),
    operation({
      id: "medley.faults.replace",
      summary: "Replaces the fault rules",
      description:
        "The first rule that matches a request applies: it delays the request or answers with an error. Rules are stored and apply on all nodes. At most 100 rules; unknown services or operations are refused.",
      method: "PUT",
      path: "/faults",
      permission: ADMIN_PERMISSION,
      transaction: "manual",
      body: Type.Object({
        rules: Type.Array(Rule, {
          maxItems: 100,
          description: "The rules, in the order they are looked at.",
        }),
      }),
      answers: { 200: Rules },
      examples: { body: { rules: [{ match: { service: "braille" }, status: 503, rate: 0.5 }] } },
      async handle({ body }, { ids }) {
        for (const rule of body.rules) checkRule(kernel, rule);
        await kernel.replaceFaults(body.rules.map((rule) => ({ ...rule, id: rule.id ?? ids.next("fault") })));
        return view();
      },
    }),
    operation({
      id: "medley.faults.clear",
      summary: "Deletes all fault rules",
      description: "Requests are served normally immediately.",
      method: "DELETE",
      path: "/faults",
      permission: ADMIN_PERMISSION,
      transaction: "manual",
      answers: { 204: noBody },
      async handle() {
        await kernel.replaceFaults([]);
      },
    }),
  ];
}
