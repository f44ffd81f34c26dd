/** Managed identities of machines. */
import { createHash } from "node:crypto";

/** One tenant per account, always the same. */
export function tenantOf(account: string): string {
  const hex = createHash("sha256").update(`tenant ${account}`).digest("hex");
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return [...parts, hex.slice(20, 32)].join("-");
}
