/** Named values: substitutes for `{{name}}` in policies. */
import type { Context } from "#kernel/operation";
import { listChildren, type ManagedResource, openSecret, resourceType } from "#kernel/resource-provider";
import { errors } from "../errors.ts";
import {
  type NamedValueProperties,
  namedValueAnswer,
  namedValueBody,
  namedValueFilter,
  namedValuePatch,
  namedValueSecret,
} from "../wire/named-values.ts";
import { childFurniture, fullTypeBelow, invalid, listsBy, requireRoom } from "./child.ts";
import { instances } from "./instances.ts";

const NAMED_VALUES_MAX = 500;
const TYPE = fullTypeBelow("instance", "namedValues");

const openedValue = (context: Pick<Context, "secrets">, resource: Pick<ManagedResource, "secrets">) =>
  openSecret(context, resource, "value");
/** Values keyed by the name that policies use. */
export const valuesByName = (
  context: Pick<Context, "secrets">,
  resources: readonly ManagedResource[],
): ReadonlyMap<string, string> =>
  new Map(
    resources.map((resource) => {
      const { displayName } = resource.properties as NamedValueProperties;
      return [displayName, openedValue(context, resource) ?? ""];
    }),
  );
export const listNamedValues = (context: Context, instanceKey: string): Promise<ManagedResource[]> =>
  listChildren(context, TYPE, instanceKey, { limit: NAMED_VALUES_MAX });

export const namedValues = resourceType<NamedValueProperties>({
  ...childFurniture("backend-key"),
  name: "namedValues",
  title: "named value",
  parent: instances,
  parameter: "namedValueId",
  idWords: "named-values",
  descriptions: {
    get: "A secret value is not returned; use `api-diagnostics.named-values.list-value`.",
    put: `Policies and credentials of backends use it as \`{{displayName}}\`. All values are stored encrypted. The display name is unique, and an instance may have ${NAMED_VALUES_MAX} named values. Gateways of all nodes use the change at their next call.`,
    patch: "Gateways of all nodes use the change at their next call.",
    delete: "Policies that name it are not checked; their next change is refused until the name is gone.",
  },
  wire: { put: namedValueBody, patch: namedValuePatch, answer: namedValueAnswer },
  lists: listsBy(namedValueFilter),
  errors: [errors.validation],
  actions: [
    {
      name: "listValue",
      summary: "Reads the value of a named value.",
      description: "Also returns secret values, so the permission for it should be rare.",
      answers: { 200: namedValueSecret },
      exclusive: false,
      handle: ({ resource }, context) => ({ value: openedValue(context, resource) }),
    },
  ],
  async prepare(wanted, about, context) {
    await requireRoom(context, about, { type: TYPE, max: NAMED_VALUES_MAX, things: "named values" });
    const { displayName, value } = wanted.properties;
    if (!about.existing && value === undefined) throw invalid("value must be given.", "properties.value");
    const others = await listNamedValues(context, about.place.parentKey);
    const isTaken = others.some(
      ({ key, properties }) =>
        key !== about.place.key && (properties as NamedValueProperties).displayName === displayName,
    );
    if (isTaken) throw invalid(`There is a named value '${displayName}' already.`, "properties.displayName");
    return { ...wanted, properties: { secret: false, ...wanted.properties } };
  },
  /** Only GET returns the value, and never a secret one. */
  present: (resource, context) => ({
    ...resource.properties,
    ...(!resource.properties.secret &&
      context.request.method === "GET" && { value: openedValue(context, resource) }),
  }),
});
