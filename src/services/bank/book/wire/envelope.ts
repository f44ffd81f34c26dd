/** The maker's envelope: every answer is a list of things, each under the name of its kind. */
import type { Operation } from "#kernel/operation";

export type BankOperation = Operation & {
  /** The maker's name for the records in an answer. Absent where the answer names its parts itself. */
  readonly wrapper?: Wrapper;
};
/** A name, or a function that returns the name for lists with records of several kinds. */
// biome-ignore lint/suspicious/noExplicitAny: each operation knows what it answers.
export type Wrapper = string | ((item: any) => string);
type Headers = Readonly<Record<string, string | readonly string[]>>;

const LINK = /^<([^>]{1,2000})>; rel="(older|newer|future)"$/;
function paginationOf({ link }: Headers): Record<string, string | null> {
  const pagination: Record<string, string | null> = { future_url: null, newer_url: null, older_url: null };
  for (const one of typeof link === "string" ? [link] : (link ?? [])) {
    const [, url = "", relation] = LINK.exec(one) ?? [];
    if (relation !== undefined) pagination[`${relation}_url`] = url;
  }
  return pagination;
}
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === "object";

/**
 * Members that the maker's shapes lack. They are left out, because the maker's clients warn about each
 * unknown member.
 */
const OWN_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  MonetaryAccountBank: ["kind"],
  MonetaryAccountSavings: ["kind", "display_name", "overdraft_limit"],
  MonetaryAccountJoint: ["kind", "display_name"],
  MonetaryAccountExternal: ["kind"],
  MonetaryAccountExternalSavings: ["kind", "overdraft_limit"],
  MonetaryAccountCard: ["kind", "display_name", "avatar", "reason", "reason_description", "setting"],
  PaymentBatch: ["id", "status"],
  RequestInquiryBatch: ["status"],
};
function withoutOwn(name: string, item: unknown): unknown {
  const own = OWN_MEMBERS[name];
  if (!own || !isObject(item)) return item;
  return Object.fromEntries(Object.entries(item).filter(([member]) => !own.includes(member)));
}
const wrapped = (wrapper: Wrapper | undefined, item: unknown): unknown => {
  if (wrapper === undefined) return item;
  const name = typeof wrapper === "string" ? wrapper : wrapper(item);
  // The id is under the name of the interface, and under the name that the maker's libraries read.
  if (isObject(item) && isObject(item.Id)) return { Id: item.Id, [name]: item.Id };
  return { [name]: withoutOwn(name, item) };
};

export function envelopeOf(operations: readonly BankOperation[]) {
  const wrappers = new Map(operations.map(({ id, wrapper }) => [id, wrapper]));
  return (operationId: string, status: number, body: unknown, headers: Headers): unknown => {
    // Pages, files and streams are no records.
    const isPassedOn = body instanceof Uint8Array || (isObject(body) && Symbol.asyncIterator in body);
    const isJson = body === undefined || (isObject(body) && !isPassedOn);
    if (status !== 200 || !wrappers.has(operationId) || !isJson) return body;
    const wrapper = wrappers.get(operationId);
    if (Array.isArray(body))
      return { Response: body.map((item) => wrapped(wrapper, item)), Pagination: paginationOf(headers) };
    if (wrapper === undefined && isObject(body))
      return { Response: Object.entries(body).map(([name, value]) => ({ [name]: value })) };
    return { Response: body === undefined ? [] : [wrapped(wrapper, body)] };
  };
}
