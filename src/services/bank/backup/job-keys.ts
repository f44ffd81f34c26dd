/** The keys of the jobs that may be planned for a row of a user. Each ends with a number of the user's. */
import type { AnyRow, UserTable } from "../book/index.ts";

const BY_KIND: Readonly<Record<string, readonly string[]>> = {
  schedule: ["schedule:"],
  "schedule-instance": ["retry:"],
  invoice: ["collecting/"],
  card: ["card-order/", "card-end/"],
  "mastercard-action": ["reservation/"],
};

export function jobKeysOf(table: UserTable, { id, kind, arrival }: AnyRow): readonly string[] {
  switch (table) {
    case "bank_user":
      return [`billing/${id}`];
    case "bank_ledger":
      return kind === "card" ? [`card-settlement/${id}`] : [];
    case "bank_payment":
      return arrival === "ON_ITS_WAY" ? [`clear:${id}`] : [];
    case "bank_record":
      return [...(BY_KIND[String(kind)] ?? []), `deadline:${kind}:`].map((start) => `${start}${id}`);
    default:
      return [];
  }
}
