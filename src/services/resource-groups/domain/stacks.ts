/** Stacks in the catalogue, and the problems that make a stack query fail. */
import type { CatalogEntry } from "#kernel/catalog";

type QueryErrorCode =
  | "STACK_INACTIVE"
  | "STACK_NOT_EXISTING"
  | "STACK_UNASSUMABLE_ROLE"
  | "RESOURCE_TYPE_NOT_SUPPORTED";
export type QueryError = { readonly code: QueryErrorCode; readonly message: string };

/** Statuses of a stack without resources. */
const INACTIVE = /^(?:DELETE_|REVIEW_IN_PROGRESS$|CREATE_FAILED$|ROLLBACK_COMPLETE$|ROLLBACK_FAILED$)/;

export const isStack = (entry: CatalogEntry): boolean => entry.type.endsWith("::Stack");

const detailOf = (entry: CatalogEntry, name: string): string | undefined => {
  const value = entry.details?.[name];
  return typeof value === "string" ? value : undefined;
};
/** The role that reads the stack, if it has one. */
export const roleOf = (stack: CatalogEntry): string | undefined => detailOf(stack, "roleArn");

export function findStackProblem(
  arn: string,
  stack: CatalogEntry | undefined,
  isRoleThere: boolean,
): QueryError | undefined {
  if (!stack || !isStack(stack))
    return { code: "STACK_NOT_EXISTING", message: `The stack ${arn} does not exist.` };
  const status = detailOf(stack, "status") ?? "CREATE_COMPLETE";
  if (INACTIVE.test(status))
    return { code: "STACK_INACTIVE", message: `The stack ${arn} is not active: it is in state ${status}.` };
  if (!isRoleThere)
    return {
      code: "STACK_UNASSUMABLE_ROLE",
      message: `The role ${roleOf(stack)} of the stack ${arn} cannot be assumed: it does not exist.`,
    };
  return undefined;
}
