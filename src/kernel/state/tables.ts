/** Which rows belong to a service and an account. */
import { kernelErrors } from "../operation/errors.ts";
import type { Service } from "../operation/service.ts";
import { accountTables, sharedTables } from "../runtime/tables.ts";

export type StateFilter = { readonly service?: string; readonly account?: string };
/** `service` is set where the table is shared and its rows name their service. */
export type TablePart = { readonly table: string; readonly service: string | undefined };

/** Everything the filter covers. Accounts themselves only travel with the whole. */
export function tablesFor(services: readonly Service[], { service }: StateFilter): TablePart[] {
  const wanted = services.filter(({ name }) => service === undefined || name === service);
  if (service !== undefined && wanted.length === 0)
    throw kernelErrors.invalidInput(`There is no service named ${service}.`);
  return [
    ...(service === undefined ? accountTables.map((table) => ({ table, service: undefined })) : []),
    ...sharedTables.map((table) => ({ table, service })),
    ...wanted.flatMap(({ tables = [] }) => tables.map((table) => ({ table, service: undefined }))),
  ];
}

type Narrowable<Q> = { where(column: string, operator: "=", value: string): Q };
export function narrow<Q extends Narrowable<Q>>(
  query: Q,
  { table, service }: TablePart,
  { account }: StateFilter,
): Q {
  const byService = service === undefined ? query : query.where("service", "=", service);
  if (account === undefined) return byService;
  return byService.where(table === "medley_account" ? "id" : "account", "=", account);
}
