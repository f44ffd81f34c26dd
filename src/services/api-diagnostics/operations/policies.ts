/** Policies of an instance, an API or an operation: one document each, compiled before it is stored. */
import { type ResourceType, resourceType } from "#kernel/resource-provider";
import { compilePolicy, inFormat, PolicyError } from "../domain/index.ts";
import { errors } from "../errors.ts";
import { type PolicyProperties, policyAnswer, policyBody, policyQuery } from "../wire/policies.ts";
import { apiOperations, apis } from "./apis.ts";
import { listBackendNames } from "./backends.ts";
import { childFurniture, instanceKeyOf, invalid } from "./child.ts";
import { instances } from "./instances.ts";
import { listNamedValues, valuesByName } from "./named-values.ts";
import { products } from "./products.ts";

const { catalogType, head, written, removed } = childFurniture("policy");

function checkDocument(value: string, known: Parameters<typeof compilePolicy>[2]): void {
  try {
    compilePolicy(value, "", known);
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    const { line, column } = error.place;
    const message = error.message.startsWith("Error in")
      ? error.message
      : `Error on line ${line}, column ${column}: ${error.message}`;
    throw invalid(message, "representation");
  }
}

const policiesOf = (parent: ResourceType, idWords: string, title: string): ResourceType =>
  resourceType<PolicyProperties>({
    catalogType,
    head,
    written,
    removed,
    nameRule: { pattern: /^policy$/i, says: "it is always policy", example: "policy" },
    etag: { neededBy: ["DELETE"] },
    statuses: { delete: { done: 200, absent: 204 } },
    name: "policies",
    title,
    parent,
    parameter: "policyId",
    idWords,
    descriptions: {
      get: "`format` converts the document between `xml` and `rawxml`.",
      put: "Replaces the policy document, which is compiled first: an unknown policy, named value or backend is refused with line and column. A document has at most 131072 characters and 200 steps. `<base />` is the place of the policies of the level above. Gateways of all nodes use the change at their next call.",
      delete:
        "The policies of the level above apply alone. Gateways of all nodes use the change at their next call.",
    },
    wire: { put: policyBody, answer: policyAnswer },
    errors: [errors.validation],
    async prepare(wanted, { place }, context) {
      const instanceKey = instanceKeyOf(place.key);
      const named = valuesByName(context, await listNamedValues(context, instanceKey));
      const backends = await listBackendNames(context, instanceKey);
      checkDocument(wanted.properties.value, { named, backends });
      return { ...wanted, properties: { format: "xml", ...wanted.properties } };
    },
    getQuery: policyQuery,
    async present({ key, properties }, context, { format }: { format?: "xml" | "rawxml" }) {
      if (format === undefined || format === properties.format) return properties;
      const named = valuesByName(context, await listNamedValues(context, instanceKeyOf(key)));
      return { format, value: inFormat(properties.value, format, named) };
    },
  });

export const policies = policiesOf(instances, "policies", "policy");
export const productPolicies = policiesOf(products, "product-policies", "policy of a product");
export const apiPolicies = policiesOf(apis, "api-policies", "policy of an API");
export const operationPolicies = policiesOf(apiOperations, "operation-policies", "policy of an operation");
