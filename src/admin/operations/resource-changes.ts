/** Changing resources of services from the console: by the service's own operation, as the account that asks. */
import { Type } from "@sinclair/typebox";
import { type Context, defineErrors, operationsFor } from "#kernel/operation";
import { providersOf } from "#kernel/resource-provider";
import { OWN_PERMISSION } from "../protocol.ts";
import { REGION, type Trial, Tried } from "./try.ts";

const operation = operationsFor<unknown>();
const errors = defineErrors({
  noSuchResource: ["NoSuchResource", 404],
  notChangeable: ["NotChangeable", 409],
});
/** What the resource manager calls its resources, and where it answers. */
const MANAGED = "/subscriptions/";
const MANAGER = "/management";
const Arn = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: "The resource's ARN.",
  examples: ["arn:vendor:scheduler:local:123456789012:jobCollections/nightly"],
});
const Tags = Type.Record(Type.String({ minLength: 1, maxLength: 128 }), Type.String({ maxLength: 256 }), {
  maxProperties: 50,
  description: "Tags to add or to change; the others stay.",
  examples: [{ stage: "test" }],
});

async function pathOf(context: Context, arn: string): Promise<string> {
  const entry = await context.catalog.find(arn);
  if (!entry) throw errors.noSuchResource(`There is no resource ${arn}.`);
  const { nativeId = "", service } = entry;
  const namespace = nativeId.startsWith(MANAGED) ? namespaceIn(nativeId) : undefined;
  const provider = providersOf(context).find((one) => one.namespace.toLowerCase() === namespace);
  if (!provider)
    throw errors.notChangeable(`${service} changes it by an operation of its own: try that one.`);
  return `${MANAGER}${encodeURI(nativeId)}?api-version=${provider.apiVersions[0]}`;
}
/** Of the provider that the resource belongs to. */
const namespaceIn = (nativeId: string): string | undefined =>
  nativeId.toLowerCase().split("/providers/").slice(1).at(-1)?.split("/", 1)[0];

export const resourceChangeOperations = (trial: Trial) => [
  operation({
    id: "medley.resources.delete",
    summary: "Deletes a resource of the resource manager's, as the account that asks",
    method: "POST",
    path: "/resources/delete",
    permission: OWN_PERMISSION,
    transaction: "manual",
    noStore: true,
    body: Type.Object({ arn: Arn }, { additionalProperties: false }),
    answers: { 200: Tried },
    errors: [errors.noSuchResource, errors.notChangeable],
    handle: async ({ body }, context) =>
      trial(
        {
          method: "DELETE",
          path: await pathOf(context, body.arn),
          credential: "account",
          region: REGION,
        },
        context,
      ),
  }),
  operation({
    id: "medley.resources.tag",
    summary: "Adds or changes tags of a resource of the resource manager's, as the account that asks",
    method: "PUT",
    path: "/resources/tags",
    permission: OWN_PERMISSION,
    transaction: "manual",
    noStore: true,
    body: Type.Object({ arn: Arn, tags: Tags }, { additionalProperties: false }),
    answers: { 200: Tried },
    errors: [errors.noSuchResource, errors.notChangeable],
    handle: async ({ body: { arn, tags } }, context) =>
      trial(
        {
          method: "PATCH",
          path: await pathOf(context, arn),
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ tags }),
          credential: "account",
          region: REGION,
        },
        context,
      ),
  }),
];
