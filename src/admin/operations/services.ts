/**
 * Operations that services add to the admin API. Each runs as its service, for the named account or for the
 * caller's.
 */
import { accountsStore } from "#kernel/auth";
import {
  type Context,
  kernelErrors,
  type Operation,
  type OperationInput,
  ServiceError,
  sameKind,
} from "#kernel/operation";
import type { Kernel, KernelTables } from "#kernel/runtime";
import { ADMIN_PERMISSION } from "../protocol.ts";

async function accountIn({ body, query }: OperationInput, context: Context<KernelTables>): Promise<string> {
  const account: string = body?.account ?? query?.account ?? context.account;
  if (!(await accountsStore.findAccount(context.db, account)))
    throw kernelErrors.invalidInput(`There is no account ${account}.`);
  return account;
}
/** Errors that the operation does not declare become invalid input in the admin API. */
async function translateErrors<T>({ errors = [] }: Operation, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError && !errors.some((declared) => sameKind(declared, error.kind)))
      throw kernelErrors.invalidInput(error.message);
    throw error;
  }
}

/** Wraps the declared operation without reading its other members, because reading would load the service. */
function runAs(kernel: Kernel, service: string, operation: Operation): Operation {
  const reads = operation.method === "GET";
  async function handle(input: OperationInput, context: Context) {
    const account = await accountIn(input, context as Context<KernelTables>);
    return translateErrors(operation, async () =>
      reads
        ? operation.handle(input, kernel.workAs(service, account))
        : kernel.transactAs(service, account, async (inner) => operation.handle(input, inner)),
    );
  }
  return Object.create(operation, {
    permission: { value: ADMIN_PERMISSION, enumerable: true },
    transaction: { value: "manual", enumerable: true },
    handle: { value: handle, enumerable: true },
  });
}

export const serviceOperations = (kernel: Kernel): readonly Operation[] =>
  kernel.services.flatMap(({ name, adminOperations = [] }) =>
    adminOperations.map((operation) => runAs(kernel, name, operation)),
  );
