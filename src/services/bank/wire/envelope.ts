/** The maker's envelope: every answer is a list of things, each under the name of its kind. */
import type { Operation } from "#kernel/operation";

export type BankOperation = Operation & {
  /** What the maker calls the records in an answer; absent where the answer names its parts itself. */
  readonly wrapper?: Wrapper;
};
/** A name, or what tells it where records of several kinds are in one list. */
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

const wrapped = (wrapper: Wrapper | undefined, item: unknown): unknown => {
  if (wrapper === undefined) return item;
  const inner = isObject(item) && isObject(item.Id) ? item.Id : item;
  return { [typeof wrapper === "string" ? wrapper : wrapper(item)]: inner };
};

export function envelopeOf(operations: readonly BankOperation[]) {
  const wrappers = new Map(operations.map(({ id, wrapper }) => [id, wrapper]));
  return (operationId: string, status: number, body: unknown, headers: Headers): unknown => {
    if (status !== 200 || !wrappers.has(operationId) || body instanceof Uint8Array) return body;
    const wrapper = wrappers.get(operationId);
    if (Array.isArray(body))
      return { Response: body.map((item) => wrapped(wrapper, item)), Pagination: paginationOf(headers) };
    if (wrapper === undefined && isObject(body))
      return { Response: Object.entries(body).map(([name, value]) => ({ [name]: value })) };
    return { Response: body === undefined ? [] : [wrapped(wrapper, body)] };
  };
}
