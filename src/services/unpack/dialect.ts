/**
 * Dialect of the original vendor. Its code and its public document disagree, and a request does not show
 * which one a client follows. Clients of the code therefore use a separate base address,
 * `/unpack/v1/restful4up`.
 */
import { type Dialect, defineDialect } from "#kernel/dialects";

const BASE = "/restful4up";

type Applied = { readonly result: { readonly matched_yara_rules?: readonly (readonly unknown[])[] } };

const shape = defineDialect({
  name: "restful4up",
  /** The vendor's code treats every value as true. This dialect treats only "false" as false. */
  unwrapBody(_operationId, body) {
    if (body === null || typeof body !== "object" || !("is_unpacking_required" in body)) return body;
    const { is_unpacking_required: given } = body;
    return { ...body, is_unpacking_required: given === "false" ? "false" : "true" };
  },
  /** The vendor's code names the member `output` instead of `result` and puts all matches into one list. */
  wrapAnswer(operationId, status, body) {
    if (operationId !== "unpack.apply-yara-rules" || status !== 200) return body;
    const { matched_yara_rules: matched, ...rest } = (body as Applied).result;
    return { output: { ...rest, ...(matched && { matched_yara_rules: matched.flat() }) } };
  },
});

export const makersShape: Dialect = {
  ...shape,
  detect: ({ path }) => path === BASE || path.startsWith(`${BASE}/`),
  neutralPath: (path) => path.slice(BASE.length),
};
