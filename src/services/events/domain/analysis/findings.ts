/** Findings of a model analysis, with the types and levels of the public service. */
export type FindingType =
  | "supported-actions"
  | "service-limits"
  | "structure"
  | "expression-syntax"
  | "data-type"
  | "referenced-data"
  | "referenced-resource";
export type FindingLevel = "INFO" | "WARNING" | "ERROR";
export type Finding = {
  readonly type: FindingType;
  readonly level: FindingLevel;
  readonly message: string;
  readonly locations: readonly { readonly path: string }[];
};

export const finding = (
  type: FindingType,
  level: FindingLevel,
  message: string,
  ...paths: readonly string[]
): Finding => ({ type, level, message, locations: paths.map((path) => ({ path })) });
