/** A request written as a command for a shell, which sends the same bytes. Secrets are variables, as `medley credentials --env` sets them. */
import { headersOf, isHidden, type RequestDetail } from "./sent.ts";

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
/** In double quotes, for what holds a variable. */
const expanded = (text: string): string => `"${text.replace(/["\\`$]/g, "\\$&")}"`;
const withKey = (text: string): string => expanded(text).replaceAll("[redacted]", "$MEDLEY_API_KEY");
const shown = (text: string): string => (isHidden(text) ? withKey(text) : quoted(text));

function credentialOf({ proof, service }: RequestDetail): string {
  if (proof?.region !== undefined)
    return `--aws-sigv4 "aws:amz:${proof.region}:${proof.service ?? service}" -u "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY"`;
  if (/^basic$/i.test(proof?.scheme ?? "")) return '-u "$MEDLEY_USERNAME:$MEDLEY_PASSWORD"';
  return '-H "Authorization: Bearer $MEDLEY_TOKEN"';
}

/** What is no text goes through base64; what was not kept whole has to come from a file. */
function bodyOf({ request: { body, bytes, parts, length, isWhole } }: RequestDetail) {
  if (length === 0) return {};
  if (!isWhole || (parts && bytes === undefined))
    return {
      note: `# Not all of the body was kept: put its ${length} bytes into the file body.`,
      word: "--data-binary @body",
    };
  if (bytes !== undefined) return { before: `printf %s ${bytes} | base64 -d | `, word: "--data-binary @-" };
  return { word: `--data-binary ${shown(body)}` };
}

export function curlOf(request: RequestDetail): string {
  const { method, url } = request;
  const { note, before = "", word } = bodyOf(request);
  const how = method === "GET" && !word ? "" : method === "HEAD" ? " -I" : ` -X ${method}`;
  // Brackets and braces would stand for several addresses.
  const isPlain = !/[[\]{}]/.test(url);
  const words = [`${before}curl -s${how}${isPlain ? "" : " -g"} ${shown(location.origin + url)}`];
  const headers = headersOf(request);
  for (const [name, value] of headers) {
    if (name === "authorization") words.push(credentialOf(request));
    else words.push(`-H ${shown(`${name}: ${value}`)}`);
  }
  // Otherwise it would say that the body is a form.
  if (word && !headers.some(([name]) => name === "content-type")) words.push("-H 'content-type:'");
  if (word) words.push(word);
  return [...(note ? [note] : []), words.join(" \\\n  ")].join("\n");
}
