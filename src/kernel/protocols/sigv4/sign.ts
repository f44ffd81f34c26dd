/** Signs a request of our own, like the official signers. */
import {
  canonicalHeaders,
  canonicalPath,
  canonicalQuery,
  formatBasicTime,
  hmacSha256Hex,
  queryPairsOf,
  sha256Hex,
  signingKeyOf,
} from "./canonical.ts";
import { ALGORITHM } from "./claim.ts";

export type RequestToSign = {
  readonly method: string;
  readonly rawPath: string;
  readonly rawQuery: string;
  readonly host: string;
  readonly body: Uint8Array;
};
export type SigningScope = {
  readonly service: string;
  readonly region: string;
  readonly keyId: string;
  readonly secret: string;
  readonly nowMs: number;
};

/** The headers that it needs. */
export function signSigV4(request: RequestToSign, scope: SigningScope): Record<string, string> {
  const { method, rawPath, rawQuery, host, body } = request;
  const timestamp = formatBasicTime(scope.nowMs);
  const scopeText = `${timestamp.slice(0, 8)}/${scope.region}/${scope.service}/aws4_request`;
  const payload = sha256Hex(body);
  const signed = { host, "x-amz-content-sha256": payload, "x-amz-date": timestamp };
  const names = Object.keys(signed);
  const canonicalRequest = [
    method,
    canonicalPath(rawPath),
    canonicalQuery(queryPairsOf(rawQuery)),
    canonicalHeaders(new Map(Object.entries(signed)), names),
    names.join(";"),
    payload,
  ].join("\n");
  const credential = `${scope.keyId}/${scopeText}`;
  const text = `${ALGORITHM}\n${timestamp}\n${scopeText}\n${sha256Hex(canonicalRequest)}`;
  const signature = hmacSha256Hex(signingKeyOf(credential, scope.secret), text);
  return {
    "x-amz-content-sha256": payload,
    "x-amz-date": timestamp,
    authorization: `${ALGORITHM} Credential=${credential}, SignedHeaders=${names.join(";")}, Signature=${signature}`,
  };
}
