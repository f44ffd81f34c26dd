/** Requests by whichever credential scheme a service has. */
import type { Service } from "../../src/kernel/operation/index.ts";
import { type AccountName, accounts, type Instance, type Sent } from "./medley.ts";

/** With an account's credential (the first's), by the service's own scheme. */
export function sendAs(
  instance: Instance,
  service: Service,
  method: string,
  path: string,
  options: { body?: unknown; headers?: Record<string, string>; as?: AccountName | null },
): Promise<Sent> {
  const scheme = service.protocol.security;
  if (scheme?.name === "sigv4") {
    const signingName = /signed for ([\w-]+)/.exec(String(scheme.scheme.description))?.[1] ?? service.name;
    return instance.signed(signingName, method, path, options);
  }
  if (scheme?.name === "apiKey") return instance.apiKey(String(scheme.scheme.name), method, path, options);
  if (scheme?.name === "basic") {
    if (options.as === null) return instance.send(method, path, options);
    const { username, password } = accounts[options.as ?? "first"].basic[0]!;
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
    return instance.send(method, path, { ...options, headers: { authorization, ...options.headers } });
  }
  return instance.bearer(method, path, options);
}
