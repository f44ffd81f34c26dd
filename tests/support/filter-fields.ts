/** Fields of every kind, for tables of filters. */
import type { FilterFields } from "#kernel/odata";

export const fields: FilterFields = {
  name: { type: "string" },
  state: { type: "string", operators: ["eq", "ne"], functions: [] },
  title: { type: "string", ignoreCase: true },
  alias: { type: "string", ignoreCase: true, path: ["properties", "alias"] },
  count: { type: "number" },
  enabled: { type: "boolean" },
  created: { type: "dateTime" },
  key: { type: "string" },
  "properties/loggerId": { type: "string", functions: ["contains", "startswith"] },
  "properties/sampling/percentage": { type: "number" },
  "properties.verbose": { type: "boolean" },
  locked: { type: "boolean", operators: ["ne"] },
};

export const guid = "0f8fad5b-d9cb-469f-a165-70867728950e";
