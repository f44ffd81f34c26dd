/** Whether the caller may use the operation, as the policies decide. */
import type { Principal } from "../operation/context.ts";
import { kernelErrors } from "../operation/errors.ts";
import { anyone, type OperationInput } from "../operation/operation.ts";
import type { Kernel } from "../runtime/kernel.ts";
import type { Found } from "./mounts.ts";

type Accounts = Kernel["accounts"];
type Operation = Found["route"]["compiled"]["operation"];

/** Before the input is read. `addressed` is the resource for policies if the operation names none. */
export function authorize(
  accounts: Accounts,
  principal: Principal,
  { permission, alsoNeeds, resource }: Operation,
  addressed: string,
): Promise<void> | undefined {
  if (permission === anyone) return undefined;
  if (alsoNeeds)
    return requireAll(accounts, principal, resource ? alsoNeeds : [permission, ...alsoNeeds], addressed);
  // If the operation names a resource, the decision waits for the input.
  return resource ? undefined : requireOne(accounts, principal, permission, addressed);
}
/** If the input names the resource, its permission is checked only now. */
export function permit(
  accounts: Accounts,
  principal: Principal,
  { permission, resource }: Operation,
  input: OperationInput,
  region: string,
): OperationInput | Promise<OperationInput> {
  if (!resource) return input;
  const named = resource(input, principal.account, region);
  const deciding = requireOne(accounts, principal, permission, named);
  return deciding ? deciding.then(() => input) : input;
}

async function requireAll(
  accounts: Accounts,
  principal: Principal,
  actions: readonly string[],
  resource: string,
): Promise<void> {
  for (const action of actions) await requireOne(accounts, principal, action, resource);
}
function requireOne(
  accounts: Accounts,
  principal: Principal,
  action: string,
  resource: string,
): Promise<void> | undefined {
  const allowed = accounts.isAllowed(principal, action, resource);
  if (allowed instanceof Promise)
    return allowed.then((answer) => refuseUnless(answer, principal, action, resource));
  refuseUnless(allowed, principal, action, resource);
  return undefined;
}
function refuseUnless(allowed: boolean, { name }: Principal, action: string, resource: string): void {
  if (!allowed)
    throw kernelErrors.forbidden(`The caller ${name} is not allowed to perform ${action} on ${resource}.`);
}
