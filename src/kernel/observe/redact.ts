/** Removes secrets from requests that people see: first declared ones, then everything that looks like one. */
import { isUtf8 } from "node:buffer";
import type { SecretParts } from "../operation/secrets.ts";
import { HIDDEN, hideSecrets } from "./redact-text.ts";
import {
  isSecretHeader,
  isSecretName,
  isSecretParameter,
  isWeakName,
  orDeclared,
  type SecretName,
} from "./secret-names.ts";

const DEPTH_MAX = 12;
const PARAMETER_MARKS = /([?&#])/;
/** A character has at most four bytes: truncated text may end within one. */
const CHARACTER_BYTES_MAX = 4;

export function redactHeaders(headers: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const shown = (value: unknown) => hideSecrets(String(value), isSecretParameter);
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (isSecretHeader(name)) return [name, HIDDEN];
      return [name, Array.isArray(value) ? value.map(shown) : shown(value)];
    }),
  );
}

export function redactUrl(url: string, declared?: SecretParts): string {
  const isSecret = orDeclared(isSecretParameter, declared);
  const [path = "", ...rest] = url.split(PARAMETER_MARKS);
  return [hideSecrets(path, () => false), ...rest.map((pair) => redactPair(pair, isSecret))].join("");
}

/** `name=value`, or the separator between two pairs. */
function redactPair(pair: string, isSecret: SecretName): string {
  const equals = pair.indexOf("=");
  if (equals < 0) return pair;
  if (isSecret(decoded(pair.slice(0, equals)))) return `${pair.slice(0, equals + 1)}${HIDDEN}`;
  // The value of a parameter may be an address with its own parameters.
  const value = decoded(pair.slice(equals + 1));
  const shown = hideSecrets(value, isSecret);
  return shown === value ? pair : `${pair.slice(0, equals + 1)}${encodeURIComponent(shown)}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

export type BodyToShow = {
  /** As far as they were kept. */
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly declared: SecretParts | undefined;
  readonly isHiddenWhole: boolean;
};

export const sizeOf = (length: number, contentType: string): string =>
  `<${length} bytes of ${contentType || "unknown type"}>`;

/** Text is shown without its secrets; binary content by its size. */
export function redactBody({ bytes, contentType, declared, isHiddenWhole }: BodyToShow): string {
  if (bytes.length === 0) return "";
  if (isHiddenWhole) return HIDDEN;
  const text = isTextType(contentType) ? findText(bytes) : undefined;
  if (text === undefined) return sizeOf(bytes.length, contentType);
  const isSecret = orDeclared(isSecretName, declared);
  if (contentType.includes("x-www-form-urlencoded")) return redactUrl(`?${text}`, declared).slice(1);
  const value = findJson(text);
  return value === undefined
    ? hideSecrets(text, isSecret, isWeakName)
    : JSON.stringify(redactValue(value, isSecret, 0));
}

export const isTextType = (contentType: string): boolean =>
  contentType === "" || /^text\/|json|xml|javascript|x-www-form-urlencoded/i.test(contentType);

/** Undefined if the bytes are not really text. */
function findText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  for (let cut = 0; cut < CHARACTER_BYTES_MAX && cut < bytes.length; cut += 1) {
    const whole = bytes.subarray(0, bytes.length - cut);
    if (isUtf8(whole)) return Buffer.from(whole).toString("utf8");
  }
  return undefined;
}

function findJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Members with errors in answers. Their `code` is a name for programs, and no secret. */
const ERROR_MEMBERS: ReadonlySet<string> = new Set(["error", "errors", "innererror", "details"]);
const ERROR_CODE = /^[A-Za-z][A-Za-z_.]{2,63}$/;
const isErrorCode = (name: string, member: unknown): boolean =>
  name === "code" && typeof member === "string" && ERROR_CODE.test(member);

function redactValue(value: unknown, isSecret: SecretName, depth: number, inError = false): unknown {
  if (typeof value === "string") return hideSecrets(value, isSecret, isWeakName);
  if (value === null || typeof value !== "object") return value;
  if (depth > DEPTH_MAX) return HIDDEN;
  if (Array.isArray(value)) return value.map((item) => redactValue(item, isSecret, depth + 1, inError));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      isSecret(name) && isHideable(name, member) && !(inError && isErrorCode(name, member))
        ? HIDDEN
        : redactValue(member, isSecret, depth + 1, ERROR_MEMBERS.has(name)),
    ]),
  );
}

function isHideable(name: string, member: unknown): boolean {
  if (member === null || typeof member === "boolean") return false;
  return typeof member !== "number" || !isWeakName(name);
}
