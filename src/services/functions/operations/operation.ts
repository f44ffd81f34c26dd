/** Code that all operations share: tables, the project's owner, and access checks. */
import { operationsFor } from "#kernel/operation";
import { holding } from "../conditions.ts";
import { type FunctionName, functionNameOf, isGranted, nameOfFunction, projectOf } from "../domain/index.ts";
import { errors } from "../errors.ts";
import { askingOf } from "../members.ts";
import type { FunctionsContext, State } from "../state.ts";
import { findFunction, type ServedFunction } from "../store/index.ts";
import type { Tables } from "../tables.ts";

/** Every caller may ask for their own permissions. */
const ASKED_BY_ANYBODY = "cloudfunctions.functions.testIamPermissions";
const GET_OPERATION = "cloudfunctions.operations.get";

export const operation = operationsFor<Tables, State>();

/** A project belongs to the account that uses it first. */
export async function claimProject(context: FunctionsContext, name: string): Promise<void> {
  const project = projectOf(name);
  if (!(await context.claim("project", project)))
    throw errors.permissionDenied(`The project ${project} belongs to another account.`);
}

/**
 * Signed-in people have the rights of the function's policy. The account's own credentials have the owner's
 * rights.
 */
async function permit(context: FunctionsContext, permission: string, one: ServedFunction): Promise<void> {
  const { principal, clock } = context;
  if (principal.subject === undefined || permission === ASKED_BY_ANYBODY) return;
  const conditions = one.policy.bindings.flatMap(({ condition }) => condition ?? []);
  const holds = await holding(conditions, { nowMs: clock.nowMs(), resourceName: nameOfFunction(one) });
  if (!isGranted(one.policy, permission, askingOf(principal), holds))
    throw denied(permission, nameOfFunction(one));
}
const denied = (permission: string, resource: string) =>
  errors.permissionDenied(
    `Permission '${permission}' denied on resource '${resource}' (or it may not exist).`,
  );

/** For operations that are not about a single function. */
export function permitOwner({ principal }: FunctionsContext, permission: string, resource: string): void {
  if (principal.subject !== undefined) throw denied(permission, resource);
}

/** The policy of its function decides. The operations of a function that is gone are the owner's. */
export async function permitOperation(context: FunctionsContext, of: FunctionName): Promise<void> {
  const one = await findFunction(context.db, context.account, of);
  if (one) await permit(context, GET_OPERATION, one);
  else permitOwner(context, GET_OPERATION, nameOfFunction(of));
}

export async function getFunction(
  context: FunctionsContext,
  name: string,
  permission: string,
): Promise<ServedFunction> {
  const parsed = functionNameOf(name);
  await claimProject(context, name);
  const one = await findFunction(context.db, context.account, parsed);
  if (!one) throw missing(parsed);
  await permit(context, permission, one);
  return one;
}
/** Only one change of a function at a time. */
export function refuseBusy({ busyWith }: ServedFunction): void {
  if (busyWith !== undefined) throw errors.aborted("unable to queue the operation");
}
export const missing = (name: FunctionName) =>
  errors.notFound(`Resource '${nameOfFunction(name)}' was not found`);

/** The resource that policies of the account decide on. */
export const named = ({ params }: { params: { name: string } }): string => params.name;
export const parented = ({ params }: { params: { parent: string } }): string => params.parent;
