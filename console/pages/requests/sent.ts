/** What a request was made of, as commands and programs need it: words of its address, its body, and headers that are its own. */
import type { Answers } from "../../generated/operations.ts";

export type RequestDetail = Answers["medley.requests.get"];

/** What stands where the server shows no secret. */
const HIDDEN = "[redacted]";
export const isHidden = (value: unknown): boolean => String(value).includes(HIDDEN);

/** Set anew by whatever sends it, or belonging to the console and to browsers. */
const LEFT_OUT =
  /^(?:host|connection|content-length|accept-encoding|user-agent|transfer-encoding|cookie|origin|referer|x-amz-(?:date|content-sha256|user-agent|security-token)|amz-sdk-.*|sec-.*|x-medley-.*)$/;

export type Headers = readonly (readonly [name: string, value: string])[];
export const headersOf = ({ request }: RequestDetail): Headers =>
  Object.entries(request.headers)
    .filter(([name]) => !LEFT_OUT.test(name))
    .map(([name, value]) => [name, String(value)]);

/** Parameters that hold slashes are tried where the plain ones do not fit; what comes before the path may differ. */
export function paramsOf({ matched, url }: RequestDetail): Record<string, string> {
  const [path = ""] = url.split("?");
  const names = [...(matched?.path ?? "").matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
  if (!matched || names.length === 0) return {};
  const firstParameter = matched.path.split("/").findIndex((segment) => segment.includes("{"));
  const tail = matched.path
    .split("/")
    .slice(Math.max(1, firstParameter - 1))
    .join("/");
  const escaped = tail.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
  for (const value of ["([^/]+)", "(.+)"]) {
    const found = new RegExp(`/${escaped.replace(/\{\w+\}/g, value)}/?$`, "i").exec(path);
    if (found)
      return Object.fromEntries(names.map((name, at) => [name, decodeURIComponent(found[at + 1] ?? "")]));
  }
  return {};
}

/** A word that is given several times is a list. */
export function queryOf({ url }: RequestDetail): Record<string, unknown> {
  const words = new URLSearchParams(url.split("?")[1] ?? "");
  return Object.fromEntries(
    [...new Set(words.keys())].map((name) => {
      const values = words.getAll(name);
      return [name, values.length > 1 ? values : values[0]];
    }),
  );
}

/** JSON and forms by their members; undefined where it is something else. */
export function membersOf({ request: { body, type } }: RequestDetail): unknown {
  if (/x-www-form-urlencoded/.test(type)) return Object.fromEntries(new URLSearchParams(body));
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
