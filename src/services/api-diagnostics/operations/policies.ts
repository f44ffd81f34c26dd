/** Policies of an instance, of an interface and of an operation: one document each, compiled before it is kept. */
import { type ResourceType, resourceType } from "#kernel/resource-provider";
import { compilePolicy, PolicyError } from "../domain/index.ts";
import { errors } from "../errors.ts";
import { type PolicyProperties, policyAnswer, policyBody } from "../wire/policies.ts";
import { apiOperations, apis } from "./apis.ts";
import { childFurniture, instanceKeyOf, invalid } from "./child.ts";
import { instances } from "./instances.ts";
import { listNamedValues, valuesByName } from "./named-values.ts";

const { catalogType, head, written, removed } = childFurniture("policy");

function checkDocument(value: string, named: ReadonlyMap<string, string>): void {
  try {
    compilePolicy(value, "", named);
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
    wire: { put: policyBody, answer: policyAnswer },
    errors: [errors.validation],
    async prepare(wanted, { place }, context) {
      const values = await listNamedValues(context, instanceKeyOf(place.key));
      checkDocument(wanted.properties.value, valuesByName(context, values));
      return { ...wanted, properties: { format: "xml", ...wanted.properties } };
    },
  });

export const policies = policiesOf(instances, "policies", "policy");
export const apiPolicies = policiesOf(apis, "api-policies", "policy of an API");
export const operationPolicies = policiesOf(apiOperations, "operation-policies", "policy of an operation");
