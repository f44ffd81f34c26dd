/** Fields that `$filter` supports for diagnostics, and their paths. */
const COMPARISONS = ["ge", "le", "eq", "ne", "gt", "lt"] as const;
const FUNCTIONS = ["substringof", "contains", "startswith", "endswith"] as const;

const text = (path: readonly string[], ignoreCase = false) =>
  ({ type: "string", path, ignoreCase, operators: COMPARISONS, functions: FUNCTIONS }) as const;

/** The contract defines only `name`. The other fields are extensions. */
export const filterFields = {
  name: text(["name"], true),
  isCurrent: { type: "boolean", path: ["properties", "isCurrent"] },
  "properties/loggerId": text(["properties", "loggerId"], true),
  "properties/alwaysLog": text(["properties", "alwaysLog"]),
  "properties/verbosity": text(["properties", "verbosity"]),
  "properties/httpCorrelationProtocol": text(["properties", "httpCorrelationProtocol"]),
  "properties/logClientIp": { type: "boolean", path: ["properties", "logClientIp"] },
  "properties/sampling/percentage": { type: "number", path: ["properties", "sampling", "percentage"] },
} as const;
