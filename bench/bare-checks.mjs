/** What the bare servers share: the checks of credentials, and the writing of an answer. */
import { createHash, createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { accessKey, apiKey, token } from "./load.mjs";

const sha256 = (data) => createHash("sha256").update(data).digest("hex");
const hmac = (key, text) => createHmac("sha256", key).update(text).digest();
const dayKeys = new Map();
function dayKeyOf(scope) {
  if (!dayKeys.has(scope))
    dayKeys.set(
      scope,
      scope.split("/").reduce((key, step) => hmac(key, step), `AWS4${accessKey.secret}`),
    );
  return dayKeys.get(scope);
}
const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), SignedHeaders=([^,]+), Signature=(\w{64})$/;
function isSigned({ method, url, headers }, body) {
  const [, id, scope, names, signature] = AUTHORIZATION.exec(headers.authorization);
  const payload = headers["x-amz-content-sha256"];
  if (id !== accessKey.id || (payload !== "UNSIGNED-PAYLOAD" && payload !== sha256(body))) return false;
  const lines = names.split(";").map((name) => `${name}:${headers[name]}\n`);
  const canonical = `${method}\n${url}\n\n${lines.join("")}\n${names}\n${payload}`;
  const text = `AWS4-HMAC-SHA256\n${headers["x-amz-date"]}\n${scope}\n${sha256(canonical)}`;
  return timingSafeEqual(hmac(dayKeyOf(scope), text), Buffer.from(signature, "hex"));
}
/** The credential checks, by name. */
export const checks = {
  key: ({ headers }) => headers["x-vendor-key"] === apiKey,
  bearer: ({ headers }) => headers.authorization === `Bearer ${token}`,
  signed: isSigned,
  none: () => true,
};

export function send(response, status, body) {
  response.writeHead(status, {
    "content-type": "application/json",
    "x-request-id": randomUUID(),
    "content-length": Buffer.byteLength(body),
  });
  response.end(body);
}
