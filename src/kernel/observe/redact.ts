/** Takes secrets out of what people and logs get to see. */
const HIDDEN = "[redacted]";
const SECRET_HEADER =
  /^(authorization|proxy-authorization|cookie|set-cookie|x-amz-security-token)$|secret|-key$|client-authentication|token/i;
const SECRET_FIELD =
  /password|passwd|secret|token|apikey|api_key|accesskey|access_key|privatekey|private_key|connectionstring|authorization|signature|credential|^code$|^key$|^assertion$|^pfx$/i;
const SECRET_QUERY =
  /([?&#](?:[^=&]*(?:signature|credential|security-token|token|secret|password|api[-_]?key|code)[^=&]*)=)[^&]*/gi;
/** Fields of a form inside a page. */
const SECRET_INPUT = /(\bname="[^"]*(?:token|secret|password|code)[^"]*" value=")[^"]*/gi;
const DEPTH_MAX = 12;

export function redactHeaders(headers: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      SECRET_HEADER.test(name) ? HIDDEN : name === "location" ? redactUrl(String(value)) : value,
    ]),
  );
}

export const redactUrl = (url: string): string => url.replace(SECRET_QUERY, `$1${HIDDEN}`);

/** JSON and form bodies lose secret members; other text is shown as it is, bytes by their length. */
export function redactBody(body: Uint8Array, contentType: string): string {
  if (body.length === 0) return "";
  const text = Buffer.from(body).toString("utf8");
  if (/json|^$/.test(contentType)) {
    try {
      return JSON.stringify(redactValue(JSON.parse(text), 0));
    } catch {
      return text.replace(/("[^"]*(?:password|secret|token|key)[^"]*"\s*:\s*)"[^"]*"?/gi, `$1"${HIDDEN}"`);
    }
  }
  if (contentType.includes("x-www-form-urlencoded")) return redactUrl(`?${text}`).slice(1);
  if (/^text\/|xml|javascript/.test(contentType)) return text.replace(SECRET_INPUT, `$1${HIDDEN}`);
  return `<${body.length} bytes of ${contentType || "unknown type"}>`;
}

function redactValue(value: unknown, depth: number): unknown {
  if (depth > DEPTH_MAX) return HIDDEN;
  if (Array.isArray(value)) return value.map((item) => redactValue(item, depth + 1));
  if (value === null || typeof value !== "object") return value;
  // Beside a connection string, the value is the secret that the string ends with.
  const isAccessKey = "connectionString" in value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      (SECRET_FIELD.test(name) || (isAccessKey && name === "value")) && typeof member === "string"
        ? HIDDEN
        : redactValue(member, depth + 1),
    ]),
  );
}
