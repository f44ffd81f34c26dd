/**
 * The maker's shape. Its code and its public document disagree, and nothing in a request tells which of them a client was made for:
 * clients of the code have a base address of their own, `/unpack/v1/restful4up`.
 */
import { type Dialect, defineDialect } from "#kernel/dialects";

const BASE = "/restful4up";

type Applied = { readonly result: { readonly matched_yara_rules?: readonly (readonly unknown[])[] } };

const shape = defineDialect({
  name: "restful4up",
  /** Whatever is given counts as yes there; a plain no stays one. */
  unwrapBody(_operationId, body) {
    if (body === null || typeof body !== "object" || !("is_unpacking_required" in body)) return body;
    const { is_unpacking_required: given } = body;
    return { ...body, is_unpacking_required: given === "false" ? "false" : "true" };
  },
  /** `output` instead of `result`, and all matches in one list. */
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
