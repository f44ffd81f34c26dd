/** Access policies of functions. */
import { type Static, Type } from "@sinclair/typebox";
import { holding, problemsOf } from "../conditions.ts";
import {
  type Binding,
  CONDITIONAL_VERSION,
  checkPolicy,
  checkVersion,
  FUNCTION_FORM,
  isGranted,
  nameOfFunction,
  PERMISSIONS,
  type Policy,
  policyFor,
} from "../domain/index.ts";
import { errors } from "../errors.ts";
import { askingOf } from "../members.ts";
import { savePolicy } from "../store/index.ts";
import * as wire from "../wire.ts";
import { getFunction, operation } from "./operation.ts";

const FUNCTION = "projects/demo/locations/us-central1/functions/hello";
const params = Type.Object({ resource: wire.name("The function.", FUNCTION) });
const segments = { resource: [FUNCTION_FORM] };
const resource = ({ params }: { params: { resource: string } }): string => params.resource;

const Condition = Type.Object({
  expression: Type.String({
    maxLength: 12_000,
    description: "In the Common Expression Language.",
    examples: ["request.time < timestamp('2031-01-01T00:00:00Z')"],
  }),
  title: Type.Optional(
    Type.String({ maxLength: 200, description: "A short name.", examples: ["until 2031"] }),
  ),
  description: Type.Optional(
    Type.String({ maxLength: 2000, description: "What it is for.", examples: [""] }),
  ),
  location: Type.Optional(
    Type.String({ maxLength: 200, description: "Where it was written.", examples: [""] }),
  ),
});
const BindingShape = Type.Object({
  role: Type.String({
    maxLength: 200,
    description: "What is granted.",
    examples: ["roles/cloudfunctions.invoker"],
  }),
  members: Type.Optional(
    Type.Array(Type.String({ maxLength: 512 }), {
      maxItems: 1500,
      description: "To whom.",
      examples: [["allUsers"]],
    }),
  ),
  condition: Type.Optional(Type.Union([Condition, Type.Null()], { description: "When.", examples: [null] })),
});
const PolicyShape = Type.Object(
  {
    version: Type.Optional(Type.Integer({ description: "0, 1 or 3.", examples: [1] })),
    bindings: Type.Optional(
      Type.Array(BindingShape, { maxItems: 1000, description: "Who may do what.", examples: [[]] }),
    ),
    auditConfigs: Type.Optional(
      Type.Array(Type.Unknown(), { maxItems: 100, description: "What is to be recorded.", examples: [[]] }),
    ),
    etag: Type.Optional(
      Type.String({ maxLength: 200, description: "The policy as it was read.", examples: ["ACAB"] }),
    ),
  },
  {
    description: "The policy.",
    examples: [{ bindings: [{ role: "roles/cloudfunctions.invoker", members: ["allUsers"] }] }],
  },
);
const version = Type.Optional(
  Type.Integer({ description: "The version that the caller understands: 0, 1 or 3.", examples: [3] }),
);

const getPolicy = operation({
  id: "functions.getIamPolicy",
  summary: "Returns the access policy of a function",
  description: `Conditions are shown only if version ${CONDITIONAL_VERSION} is requested. Send the \`etag\` back with \`functions.setIamPolicy\` to detect concurrent changes.`,
  method: "GET",
  path: "/v2/{resource}:getIamPolicy",
  segments,
  permission: "cloudfunctions.functions.getIamPolicy",
  params,
  query: Type.Object({ "options.requestedPolicyVersion": version }),
  answers: { 200: PolicyShape },
  errors: [errors.invalidArgument, errors.permissionDenied, errors.notFound],
  resource,
  async handle({ params, query }, context) {
    const requested = query["options.requestedPolicyVersion"] ?? 0;
    checkVersion(requested);
    const { policy } = await getFunction(context, params.resource, "cloudfunctions.functions.getIamPolicy");
    return shownPolicy(policy, requested);
  },
});
/** Where the public client's own helper asks. */
const getPolicyV1 = operation({
  id: "functions.getIamPolicyV1",
  summary: "Returns the access policy of a function, by POST",
  description: "Same as `functions.getIamPolicy`, for client libraries that use this path.",
  method: "POST",
  path: "/v1/{resource}:getIamPolicy",
  segments,
  permission: "cloudfunctions.functions.getIamPolicy",
  tags: ["additional"],
  transaction: "read",
  params,
  body: Type.Object({
    options: Type.Optional(
      Type.Union([Type.Object({ requestedPolicyVersion: version }), Type.Null()], {
        description: "What is asked for.",
        examples: [{ requestedPolicyVersion: 3 }],
      }),
    ),
  }),
  bodyOptional: true,
  answers: { 200: PolicyShape },
  errors: [errors.invalidArgument, errors.permissionDenied, errors.notFound],
  resource,
  async handle({ params, body }, context) {
    const requested = body?.options?.requestedPolicyVersion ?? 0;
    checkVersion(requested);
    const { policy } = await getFunction(context, params.resource, "cloudfunctions.functions.getIamPolicy");
    return shownPolicy(policy, requested);
  },
});
const shownPolicy = (policy: Policy, requested: number) => {
  const { version, bindings, auditConfigs, etag } = policyFor(policy, requested);
  return {
    version,
    bindings: bindings.map((one) => ({ ...one, members: [...one.members] })),
    ...(auditConfigs && { auditConfigs: [...auditConfigs] }),
    etag,
  };
};

const setPolicyAt = (id: string, path: string, tags?: readonly string[]) =>
  operation({
    id,
    summary: "Sets the access policy of a function",
    description:
      "Replaces the parts that the mask names, immediately on this node and within a second on others. Without an invoker binding for `allUsers`, callers need a credential. A wrong `etag` is refused with ABORTED; without one, concurrent changes are overwritten. Bindings without members are dropped; at most 100 bindings.",
    method: "POST",
    path,
    segments,
    permission: "cloudfunctions.functions.setIamPolicy",
    ...(tags && { tags }),
    params,
    body: Type.Object({
      policy: Type.Optional(PolicyShape),
      updateMask: Type.Optional(
        Type.String({
          maxLength: 200,
          description: "Which parts to set; bindings and etag when left out.",
          examples: ["bindings,etag"],
        }),
      ),
    }),
    answers: { 200: PolicyShape },
    errors: [errors.invalidArgument, errors.permissionDenied, errors.notFound, errors.aborted],
    resource,
    async handle({ params, body }, context) {
      const one = await getFunction(context, params.resource, "cloudfunctions.functions.setIamPolicy");
      const { policy = {}, updateMask } = body;
      if (policy.etag !== undefined && policy.etag !== "" && policy.etag !== one.policy.etag)
        throw errors.aborted(
          "There were concurrent policy changes. Read the policy again and repeat the change.",
        );
      if (policy.etag) refuseLosingConditions(one.policy, policy);
      const etag = Buffer.from(context.ids.uuid().slice(0, 12)).toString("base64");
      const saved: Policy = { ...changedPolicy(one.policy, policy, updateMask), etag };
      const problems = await problemsOf(
        saved.bindings.flatMap(({ condition }) => condition?.expression ?? []),
      );
      checkPolicy(saved, (expression) => problems.get(expression));
      await savePolicy(context.db, context.account, one.slug, saved);
      context.afterCommit(() => context.state.running.forgetServed(one.slug));
      return shownPolicy(saved, 3);
    },
  });
/** Refuses to overwrite conditions that the caller has not seen. The etag tells which version was read. */
function refuseLosingConditions({ bindings }: Policy, { version = 1 }: Static<typeof PolicyShape>): void {
  if (version < CONDITIONAL_VERSION && bindings.some(({ condition }) => condition !== undefined))
    throw errors.invalidArgument(
      `Specified policy version (${version}) cannot be less than the existing policy version (${CONDITIONAL_VERSION}): read it with requestedPolicyVersion ${CONDITIONAL_VERSION}.`,
    );
}
/** Replaces the parts that the mask names. The others stay. */
function changedPolicy(
  before: Policy,
  said: Static<typeof PolicyShape>,
  updateMask = "bindings,etag",
): Omit<Policy, "etag"> {
  const mask = updateMask.split(",").map((path) => path.trim());
  const bindings = mask.includes("bindings") ? (said.bindings ?? []).map(bindingOf) : before.bindings;
  const isAudit = mask.includes("auditConfigs") || mask.includes("audit_configs");
  const auditConfigs = isAudit ? said.auditConfigs : before.auditConfigs;
  return {
    version: said.version ?? 1,
    bindings: bindings.filter(({ members }) => members.length > 0),
    ...(auditConfigs && { auditConfigs }),
  };
}
type SaidBinding = { role: string; members?: string[]; condition?: Binding["condition"] | null };
const bindingOf = ({ role, members = [], condition }: SaidBinding): Binding => ({
  role,
  members: [...new Set(members)],
  ...(condition && { condition }),
});

const testPermissionsAt = (id: string, path: string, tags?: readonly string[]) =>
  operation({
    id,
    summary: "Returns which of the given permissions the caller has on a function",
    description:
      "Every caller may ask about itself. Credentials of the account have all permissions; signed-in people have those of the policy. An unknown permission is refused.",
    method: "POST",
    path,
    segments,
    permission: "cloudfunctions.functions.testIamPermissions",
    ...(tags && { tags }),
    transaction: "read",
    params,
    body: Type.Object({
      permissions: Type.Optional(
        Type.Array(Type.String({ maxLength: 200 }), {
          maxItems: 100,
          description: "The permissions in question.",
          examples: [["cloudfunctions.functions.invoke"]],
        }),
      ),
    }),
    answers: {
      200: Type.Object({
        permissions: Type.Optional(Type.Array(Type.String(), { description: "Those that the caller has." })),
      }),
    },
    errors: [errors.invalidArgument, errors.permissionDenied, errors.notFound],
    resource,
    async handle({ params, body }, context) {
      const { permissions = [] } = body;
      const unknown = permissions.find((permission) => !PERMISSIONS.has(permission));
      if (unknown !== undefined)
        throw errors.invalidArgument(`There is no permission ${unknown} on functions.`);
      const one = await getFunction(context, params.resource, TESTING);
      const { principal, clock } = context;
      const conditions = one.policy.bindings.flatMap(({ condition }) => condition ?? []);
      const holds = await holding(conditions, { nowMs: clock.nowMs(), resourceName: nameOfFunction(one) });
      const granted = permissions.filter(
        (permission) =>
          principal.subject === undefined || isGranted(one.policy, permission, askingOf(principal), holds),
      );
      return granted.length === 0 ? {} : { permissions: granted };
    },
  });
const TESTING = "cloudfunctions.functions.testIamPermissions";

export const policyOperations = [
  getPolicy,
  getPolicyV1,
  setPolicyAt("functions.setIamPolicy", "/v2/{resource}:setIamPolicy"),
  setPolicyAt("functions.setIamPolicyV1", "/v1/{resource}:setIamPolicy", ["additional"]),
  testPermissionsAt("functions.testIamPermissions", "/v2/{resource}:testIamPermissions"),
  testPermissionsAt("functions.testIamPermissionsV1", "/v1/{resource}:testIamPermissions", ["additional"]),
];
