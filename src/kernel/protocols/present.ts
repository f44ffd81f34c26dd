/** Adds a credential to a request in the way of each protocol. */
import type { LentCredential, LentKind } from "../auth/lent.ts";
import type { Protocol } from "./protocol.ts";
import type { RequestToSign } from "./sigv4/sign.ts";

type Lender = {
  lend(kind: LentKind): LentCredential;
  readonly region: string;
  readonly nowMs: number;
};

/** The headers to add. */
export function presentCredential(
  { security, sign }: Pick<Protocol, "security" | "sign">,
  request: RequestToSign,
  { lend, region, nowMs }: Lender,
): Record<string, string> {
  if (!security) return {};
  if (sign) {
    const { name: keyId, secret } = lend("accessKey");
    return sign(request, { keyId, secret, region, nowMs });
  }
  const { type, scheme, name } = security.scheme;
  if (type === "http" && scheme === "basic") {
    const { name: username, secret } = lend("basic");
    return { authorization: `Basic ${Buffer.from(`${username}:${secret}`).toString("base64")}` };
  }
  const header = String(name).toLowerCase();
  if (type === "apiKey" && header !== "authorization") return { [header]: lend("apiKey").secret };
  return { authorization: `Bearer ${lend("token").secret}` };
}
