/** Makes another user of a saved one: with numbers, accounts and addresses of its own, and nobody else's access. */
import { type AnyRow, isNumeric, type UserTable } from "../book/index.ts";
import { rowsIn, type SavedUser } from "./content.ts";

/** Keys, applications and shares open a user to others. A copy has none. */
const NOT_COPIED: readonly UserTable[] = ["bank_key", "bank_oauth_client", "bank_share"];
const KINDS_NOT_COPIED: readonly unknown[] = [
  "callback-url",
  "company",
  "payment-service-provider-draft-payment",
  "permitted-ip",
];
const JSON_COLUMNS: readonly string[] = ["alias", "body", "counterparty", "details", "images"];
const ID_MEMBER = /^(?:ids?|attachments|settled_by)$|_ids?$|Ids?$/;
/** Payments of an order are counted from 1 within it. */
const COUNTED = "entries";
const NAME_PART = /[\w-]{12,}/g;
const BANK_ADDRESS = /\.\d+(?=@bank\.example$)/;

export type Supplies = {
  /** The first of so many numbers. */
  readonly takeIds: (count: number) => Promise<number>;
  readonly newUuid: () => string;
  readonly newIban: (iban: string) => Promise<string>;
};

/** What others have in hand: an open request between two users, or an open order of a provider. */
function isShared({ kind, status, body }: AnyRow): boolean {
  if (status !== "PENDING") return false;
  const { shareUuid, providedId } = JSON.parse(String(body));
  if (kind === "draft-payment") return providedId !== undefined;
  return kind === "request-response" || (kind === "request-inquiry" && shareUuid === undefined);
}
const isCopied = (table: UserTable, row: AnyRow): boolean => {
  if (NOT_COPIED.includes(table)) return false;
  if (table === "bank_record") return !KINDS_NOT_COPIED.includes(row.kind) && !isShared(row);
  return table !== "bank_alias" || row.type === "IBAN" || BANK_ADDRESS.test(String(row.value));
};

type Numbered = { readonly id: number };
/** Numbers below a record that are no rows themselves. */
function innerIds({ kind, body }: AnyRow): readonly number[] {
  const { permissions = [], numbers = [], definitions = [] } = JSON.parse(String(body));
  const lists: readonly (readonly Numbered[])[] =
    kind === "card" ? [permissions, numbers] : kind === "payment-auto-allocate" ? [definitions] : [];
  return lists.flat().map(({ id }) => id);
}
function idsIn(table: UserTable, row: AnyRow): readonly number[] {
  const own = typeof row.id === "number" ? [row.id] : [];
  if (table === "bank_entry") return [Number(row.movement_id)];
  return table === "bank_record" ? [...own, ...innerIds(row)] : own;
}
/** The copy's numbers have the same order, so its lists have it too. */
async function newIds(rows: SavedUser["rows"], takeIds: Supplies["takeIds"]): Promise<Map<number, number>> {
  const all = [...rows].flatMap(([table, some]) => some.flatMap((row) => idsIn(table, row)));
  const ids = [...new Set(all)].sort((one, other) => one - other);
  const firstId = await takeIds(ids.length);
  return new Map(ids.map((id, at) => [id, firstId + at]));
}
async function newTexts(rows: SavedUser["rows"], supplies: Supplies): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const some of rows.values())
    for (const { uuid, public_uuid, iban } of some) {
      for (const one of [uuid, public_uuid])
        if (typeof one === "string" && one !== "" && !texts.has(one)) texts.set(one, supplies.newUuid());
      if (typeof iban === "string" && iban !== "") texts.set(iban, await supplies.newIban(iban));
    }
  return texts;
}

class Renaming {
  readonly #ids: ReadonlyMap<number, number>;
  readonly #texts: ReadonlyMap<string, string>;
  constructor(ids: ReadonlyMap<number, number>, texts: ReadonlyMap<string, string>) {
    this.#ids = ids;
    this.#texts = texts;
  }
  id(id: number): number {
    return this.#ids.get(id) ?? id;
  }
  text(text: string): string {
    return text.replace(NAME_PART, (found) => this.#texts.get(found) ?? found);
  }
  value(value: unknown, member = ""): unknown {
    if (typeof value === "string") return this.text(value);
    if (typeof value === "number") return ID_MEMBER.test(member) ? this.id(value) : value;
    if (Array.isArray(value)) return value.map((one) => this.value(one, member));
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        name,
        member === COUNTED && name === "id" ? one : this.value(one, name),
      ]),
    );
  }
  #column(column: string, value: AnyRow[string] | undefined): AnyRow[string] {
    if (typeof value === "number")
      return isNumeric(column) && ID_MEMBER.test(column) ? this.id(value) : value;
    if (typeof value !== "string" || value === "") return value ?? null;
    return JSON_COLUMNS.includes(column) ? JSON.stringify(this.value(JSON.parse(value))) : this.text(value);
  }
  row(row: AnyRow): AnyRow {
    return Object.fromEntries(
      Object.entries(row).map(([column, value]) => [column, this.#column(column, value)]),
    );
  }
}

/** Renames the user, and accounts that have the name of their owner. */
function named(table: UserTable, row: AnyRow, before: string, name: string): AnyRow {
  if (table === "bank_alias") return { ...row, name: row.name === before ? name : (row.name ?? "") };
  if (table === "bank_ledger") return row.display_name === before ? { ...row, display_name: name } : row;
  if (table !== "bank_user") return row;
  const { name: _name, middle_name: _middle, ...details } = JSON.parse(String(row.details));
  const [first = "", ...rest] = name.split(" ");
  const names = row.kind === "person" ? { first_name: first, last_name: rest.join(" ") } : {};
  const renamed = { display_name: name, details: JSON.stringify({ ...details, ...names }) };
  return { ...row, ...renamed, is_default: 0, certificate: "" };
}

/** Numbers of rows that are left out stay as they are. */
export async function copyOf(saved: SavedUser, name: string, supplies: Supplies): Promise<SavedUser> {
  const copied = new Map(
    [...saved.rows].map(([table, rows]) => [table, rows.filter((row) => isCopied(table, row))]),
  );
  const ids = await newIds(copied, supplies.takeIds);
  const renaming = new Renaming(ids, await newTexts(copied, supplies));
  const before = String(rowsIn(saved, "bank_user")[0]?.display_name);
  const userId = renaming.id(saved.userId);
  const rows = new Map(
    [...copied].map(([table, some]) => [
      table,
      some.map((row) => {
        const made = named(table, renaming.row(row), before, name);
        return table === "bank_alias"
          ? { ...made, value: String(made.value).replace(BANK_ADDRESS, `.${userId}`) }
          : made;
      }),
    ]),
  );
  const jobs = saved.jobs
    .filter(({ key }) => ids.has(numberIn(key)))
    .map((job) => ({
      ...job,
      key: `${job.key.slice(0, -String(numberIn(job.key)).length)}${renaming.id(numberIn(job.key))}`,
      payload: renaming.value(job.payload),
    }));
  return { ...saved, userId, rows, jobs };
}
/** Keys end with a number. */
const numberIn = (key: string): number => Number(key.split(/[:/]/).at(-1));
