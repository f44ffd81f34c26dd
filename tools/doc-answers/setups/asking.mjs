/** Requests of setups, and waiting. Each request must succeed, because later requests use what it makes. */

/** `known`: headers of every request. */
export const askerOf =
  (url, known) =>
  async (method, path, body, headers = {}) => {
    const isText = body === undefined || body instanceof URLSearchParams || body instanceof Uint8Array;
    const response = await fetch(url + path, {
      method,
      headers: { ...(!isText && { "content-type": "application/json" }), ...known, ...headers },
      body: isText ? body : JSON.stringify(body),
      redirect: "manual",
    });
    const text = await response.text();
    if (response.status >= 400) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    const type = response.headers.get("content-type") ?? "";
    const isJson = type.includes("json") && text !== "";
    return {
      status: response.status,
      headers: response.headers,
      // Bytes are no text.
      text: /json|text|xml/.test(type) ? text : "",
      body: isJson ? JSON.parse(text) : undefined,
    };
  };

/** Waits for work of the server. `find` answers undefined, or throws, as long as it is not done. */
const TRIES = 100;
const PAUSE_MS = 100;
export async function eventually(find, what, triesMax = TRIES) {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const found = await find().catch(() => undefined);
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new Error(`${what} did not come.`);
}
