/** Requests of setups. Each must succeed, because later requests use what it makes. */

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
