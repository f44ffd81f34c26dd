/** Reads the HTTP request of an action with its authentication. */
import {
  actionLimits,
  HTTP_AUTHENTICATION_TYPES,
  HTTP_METHODS,
  type HttpAuthentication,
  type HttpRequest,
} from "./action.ts";
import type { DefinitionReader } from "./definition-reader.ts";
import { isGiven } from "./problems.ts";

type Members = Readonly<Record<string, unknown>>;

const HEADER_NAME_PATTERN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const HEADER_VALUE_PATTERN = /^[^\u0000-\u0008\u000a-\u001f\u007f]*$/;

function readUri(reader: DefinitionReader, from: Members, root: string, type: string): string | undefined {
  const uri = reader.text(from, root, "uri", { lengthMax: actionLimits.uriLengthMax });
  if (uri === undefined) return undefined;
  const path = `${root}.uri`;
  if (!/^https?:\/\/[^/?#]/i.test(uri) || !URL.canParse(uri))
    return reader.refuse(path, "must be an address that begins with http:// or https://");
  const { protocol, username, password } = new URL(uri);
  if (username !== "" || password !== "")
    return reader.refuse(path, "must not hold a user name or password; use authentication instead");
  if (type === "Https" && protocol !== "https:")
    return reader.refuse(path, "must begin with https:// in an action of the type Https");
  return uri;
}

function readHeaders(
  reader: DefinitionReader,
  from: Members,
  root: string,
): Readonly<Record<string, string>> | undefined {
  const headers = reader.textMap(from, root, "headers", actionLimits.headersMax);
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (!HEADER_NAME_PATTERN.test(name) || !HEADER_VALUE_PATTERN.test(value))
      reader.refuse(`${root}.headers`, `holds "${name.slice(0, 60)}", which can't be sent as a header`);
  }
  return headers;
}

function readBasic(
  reader: DefinitionReader,
  from: Members,
  root: string,
  origin: string,
): HttpAuthentication | undefined {
  const username = reader.text(from, root, "username");
  if (username?.includes(":")) return reader.refuse(`${root}.username`, "must not hold a colon");
  const there = reader.secret(from, root, ["password"], JSON.stringify(["Basic", origin, username]));
  if (!there) return reader.refuse(`${root}.password`, "is required");
  return username === undefined ? undefined : { type: "Basic", username };
}

function readCertificate(
  reader: DefinitionReader,
  from: Members,
  root: string,
): HttpAuthentication | undefined {
  const there = reader.secret(
    isGiven(from.pfx) ? from : {},
    root,
    ["pfx", "password"],
    '["ClientCertificate"]',
  );
  if (!there) return reader.refuse(`${root}.pfx`, "is required");
  const pfx = from.pfx;
  if (typeof pfx === "string" && !/^[A-Za-z0-9+/\s]+(?:={1,2}\s*)?$/.test(pfx))
    return reader.refuse(`${root}.pfx`, "must be a PFX file in Base64");
  return { type: "ClientCertificate" };
}

/** The secret is sent to the tenant's token endpoint and nowhere else, and the token to the job's own origin. */
function readOAuth(
  reader: DefinitionReader,
  from: Members,
  root: string,
  origin: string,
): HttpAuthentication | undefined {
  const tenant = reader.text(from, root, "tenant");
  const audience = reader.text(from, root, "audience");
  const clientId = reader.text(from, root, "clientId");
  const binding = JSON.stringify(["ActiveDirectoryOAuth", tenant, clientId, origin]);
  const there = reader.secret(from, root, ["secret"], binding);
  if (!there) return reader.refuse(`${root}.secret`, "is required");
  if (tenant === undefined || audience === undefined || clientId === undefined) return undefined;
  return { type: "ActiveDirectoryOAuth", tenant, audience, clientId };
}

function readAuthentication(
  reader: DefinitionReader,
  value: unknown,
  root: string,
  origin: string,
): HttpAuthentication | undefined {
  if (!isGiven(value)) return undefined;
  const from = reader.members(value, root);
  const type = from && reader.word(from, root, "type", HTTP_AUTHENTICATION_TYPES);
  if (from === undefined || type === undefined) return undefined;
  if (type === "Basic") return readBasic(reader, from, root, origin);
  if (type === "ClientCertificate") return readCertificate(reader, from, root);
  if (type === "ActiveDirectoryOAuth") return readOAuth(reader, from, root, origin);
  return { type };
}

export function readHttpRequest(
  reader: DefinitionReader,
  value: unknown,
  root: string,
  type: "Http" | "Https",
): HttpRequest | undefined {
  const from = reader.members(value, root);
  if (from === undefined) return undefined;
  const uri = readUri(reader, from, root, type);
  const method = reader.word(from, root, "method", HTTP_METHODS, "GET");
  const headers = readHeaders(reader, from, root);
  const body = reader.text(from, root, "body", { optional: true, lengthMax: actionLimits.bodyLengthMax });
  const origin = uri === undefined ? "" : new URL(uri).origin;
  const authentication = readAuthentication(reader, from.authentication, `${root}.authentication`, origin);
  if (uri === undefined || method === undefined) return undefined;
  return {
    uri,
    method,
    ...(headers !== undefined && { headers }),
    ...(body !== undefined && { body }),
    ...(authentication !== undefined && { authentication }),
  };
}
