/** Which rows belong to a service and an account. */
import { kernelErrors } from "../operation/errors.ts";
import type { Service } from "../operation/service.ts";
import { accountTables, sharedTables } from "../runtime/tables.ts";
import type { Row } from "./rows.ts";

export type StateFilter = { readonly service?: string; readonly account?: string };
/** `service` is set if the table is shared and its rows name their service. */
export type TablePart = { readonly table: string; readonly service: string | undefined };

const OWNERS = "medley_owner";
const tablesOfAccounts = (services: readonly Service[]): TablePart[] =>
  [...accountTables, ...services.flatMap((one) => one.accountTables ?? [])].map((table) => ({
    table,
    service: undefined,
  }));

/** Accounts and sign-in data, without the names that accounts have claimed. */
export const credentialTables = (services: readonly Service[]): string[] =>
  tablesOfAccounts(services)
    .map(({ table }) => table)
    .filter((table) => table !== OWNERS);

/** What a reset clears: accounts and their credentials stay. */
export function tablesToReset(services: readonly Service[], filter: StateFilter): TablePart[] {
  const stay = new Set(credentialTables(services));
  return tablesFor(services, filter).filter(({ table }) => !stay.has(table));
}

/** Everything that the filter covers. Accounts are included only with all services. */
export function tablesFor(services: readonly Service[], { service }: StateFilter): TablePart[] {
  const wanted = services.filter(({ name }) => service === undefined || name === service);
  if (service !== undefined && wanted.length === 0)
    throw kernelErrors.invalidInput(`There is no service named ${service}.`);
  return [
    ...(service === undefined ? tablesOfAccounts(services) : []),
    ...sharedTables.map((table) => ({ table, service })),
    ...wanted.flatMap(({ tables = [] }) => tables.map((table) => ({ table, service: undefined }))),
  ];
}

/** Tables whose rows may name an object instead of holding its bytes. */
export const objectTablesOf = (services: readonly Service[]): string[] =>
  services.flatMap(({ objectTables = [] }) => objectTables.map(({ table }) => table));

export const accountColumnOf = (table: string): string => (table === "medley_account" ? "id" : "account");

type Narrowable<Q> = { where(column: string, operator: "=" | "!=", value: string): Q };
export function narrow<Q extends Narrowable<Q>>(
  query: Q,
  { table, service }: TablePart,
  { account }: StateFilter,
): Q {
  const byService = service === undefined ? query : query.where("service", "=", service);
  // Jobs of the process itself, such as its own schedules, belong to no account.
  if (account === undefined) return table === "medley_job" ? byService.where("account", "!=", "") : byService;
  return byService.where(accountColumnOf(table), "=", account);
}

/** The intersection of both filters. */
export function intersect(whole: StateFilter, part: StateFilter): StateFilter {
  for (const name of ["service", "account"] as const)
    if (whole[name] !== undefined && part[name] !== undefined && whole[name] !== part[name])
      throw kernelErrors.invalidInput(`The export covers the ${name} ${whole[name]} only.`);
  return { ...whole, ...part };
}

const isShared = (table: string): boolean => (sharedTables as readonly string[]).includes(table);

/** The condition of `narrow`, for a row that is not yet in the database. */
export function isCovered(table: string, row: Row, { service, account }: StateFilter): boolean {
  if (service !== undefined && isShared(table) && row.service !== service) return false;
  const owner = row[accountColumnOf(table)];
  return account === undefined ? table !== "medley_job" || owner !== "" : owner === account;
}
