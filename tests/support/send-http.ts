/** A request as `fetch` sends it, at a quarter of the processor time: tests send some hundred thousand of them. */
import { Agent, type IncomingMessage, request } from "node:http";

export type Answer = { readonly status: number; readonly headers: Headers; readonly bytes: Buffer };
type Asked = {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
};

const agent = new Agent({ keepAlive: true });
/** The headers of `fetch` that a server may look at. */
const usual = { accept: "*/*", "accept-language": "*", "user-agent": "node" };

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] as string, rawHeaders[at + 1] as string);
  return headers;
}

/** Whether this can send it: no forms, no TLS, and an answer that comes as it is. */
export const isSimple = (url: string, headers: Readonly<Record<string, string>>, body: unknown): boolean =>
  url.startsWith("http://") &&
  (body === undefined || typeof body === "string" || body instanceof Uint8Array) &&
  !Object.keys(headers).some((name) => name.toLowerCase() === "accept-encoding");

export function sendSimple(asked: Asked, isAgain = false): Promise<Answer> {
  const { method, body } = asked;
  const { hostname, port, pathname, search } = new URL(asked.url);
  const names = Object.keys(asked.headers).map((name) => name.toLowerCase());
  const type = typeof body === "string" && !names.includes("content-type") && "text/plain;charset=UTF-8";
  const headers = {
    ...Object.fromEntries(Object.entries(usual).filter(([name]) => !names.includes(name))),
    ...(type && { "content-type": type }),
    ...asked.headers,
    ...(body === undefined && /^(?:POST|PUT|PATCH)$/.test(method) && { "content-length": "0" }),
    // Node sends the body of a DELETE without saying how long it is.
    ...(body !== undefined &&
      !names.includes("content-length") &&
      !names.includes("transfer-encoding") && { "content-length": String(Buffer.byteLength(body)) }),
  };
  const options = { agent, hostname, port, path: pathname + search, method, headers };
  return new Promise((resolve, reject) => {
    const sent = request(options, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part) => parts.push(part));
      answer.on("error", reject);
      answer.on("end", () =>
        resolve({ status: answer.statusCode ?? 0, headers: headersOf(answer), bytes: Buffer.concat(parts) }),
      );
    });
    sent.on("error", (error: NodeJS.ErrnoException) => {
      // The server closed a resting connection at the same moment: it has seen nothing of this request.
      if (sent.reusedSocket && error.code === "ECONNRESET" && !isAgain)
        sendSimple(asked, true).then(resolve, reject);
      else reject(new TypeError("fetch failed", { cause: error }));
    });
    sent.end(body);
  });
}
