/** What becomes of a filled-in form when it is sent. */
import { type Filled, keyOf, textOf } from "./beginning.ts";
import type { Callable } from "./described.ts";

export function pathOf({ path, operation }: Callable, { parameters }: Filled): string {
  const filled = path.replace(/\{(\w+)\}/g, (whole, name) =>
    parameters[`path:${name}`] === undefined ? whole : encodeURIComponent(parameters[`path:${name}`] ?? ""),
  );
  const words = new URLSearchParams();
  for (const parameter of operation.parameters ?? []) {
    const value = parameters[keyOf(parameter)] ?? "";
    if (parameter.in === "query" && value !== "") words.append(parameter.name, value);
  }
  const query = words.toString();
  return query === "" ? filled : `${filled}?${query}`;
}

export function headersOf(
  { operation }: Callable,
  { parameters, kind, type }: Filled,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const parameter of operation.parameters ?? []) {
    const value = parameters[keyOf(parameter)] ?? "";
    if (parameter.in === "header" && value !== "") headers[parameter.name.toLowerCase()] = value;
  }
  if (kind !== "none" && kind !== "multipart" && type !== "") headers["content-type"] = type;
  return headers;
}

const BOUNDARY = "medley-console-boundary";
const CHUNK = 32_768;
export async function base64Of(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += CHUNK)
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}

function multipartOf(body: Readonly<Record<string, unknown>>): Blob {
  const parts: BlobPart[] = [];
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined || value === "") continue;
    const file = value instanceof File ? value : undefined;
    const about = file
      ? `; filename="${file.name.replaceAll('"', "")}"\r\nContent-Type: ${file.type || "application/octet-stream"}`
      : "";
    parts.push(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${about}\r\n\r\n`);
    parts.push(file ?? textOf(value), "\r\n");
  }
  parts.push(`--${BOUNDARY}--\r\n`);
  return new Blob(parts);
}

/** As the operation that sends it takes it: text, or base64 where bytes are among it. */
export async function sentBody({ kind, body }: Filled): Promise<{
  headers?: Record<string, string>;
  body?: string;
  bytes?: string;
}> {
  switch (kind) {
    case "none":
      return {};
    case "json":
      return body === undefined ? {} : { body: JSON.stringify(body) };
    case "form": {
      const pairs = Object.entries((body ?? {}) as Record<string, unknown>).filter(
        ([, value]) => value !== undefined,
      );
      return { body: new URLSearchParams(pairs.map(([name, value]) => [name, textOf(value)])).toString() };
    }
    case "multipart":
      return {
        headers: { "content-type": `multipart/form-data; boundary=${BOUNDARY}` },
        bytes: await base64Of(multipartOf((body ?? {}) as Record<string, unknown>)),
      };
    default:
      return body instanceof File ? { bytes: await base64Of(body) } : { body: textOf(body) };
  }
}
