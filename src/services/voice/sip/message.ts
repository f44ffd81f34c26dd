/** Parses and writes SIP messages. Invalid input returns undefined, never an exception. */

export type SipHeader = {
  name: string;
  value: string;
};

type SipMessageBase = {
  headers: SipHeader[];
  body: string;
};

export interface SipRequest extends SipMessageBase {
  kind: "request";
  method: string;
  target: string;
}

export interface SipResponse extends SipMessageBase {
  kind: "response";
  status: number;
  reason: string;
}

export type SipMessage = SipRequest | SipResponse;

/** Larger datagrams are ignored. */
export const MESSAGE_BYTES_MAX = 16_384;
const HEADERS_MAX = 128;
const METHOD = /^([A-Z]{1,20}) (\S{1,1024}) SIP\/2\.0$/;
const STATUS = /^SIP\/2\.0 ([1-6]\d\d) ?(.{0,256})$/;

const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
  ["c", "content-type"],
  ["f", "from"],
  ["i", "call-id"],
  ["l", "content-length"],
  ["m", "contact"],
  ["t", "to"],
  ["v", "via"],
]);

export function parseMessage(datagram: Buffer): SipMessage | undefined {
  if (datagram.length > MESSAGE_BYTES_MAX) return undefined;
  const text = datagram.toString("utf8");
  const end = /\r?\n\r?\n/.exec(text);
  const head = end === null ? text : text.slice(0, end.index);
  const rest = end === null ? "" : text.slice(end.index + end[0].length);
  const [first = "", ...lines] = head.replaceAll(/\r?\n[ \t]+/g, " ").split(/\r?\n/);
  const headers = parseHeaders(lines);
  if (headers === undefined) return undefined;
  const body = cutBody(rest, headers);
  if (body === undefined) return undefined;
  const request = METHOD.exec(first);
  if (request !== null)
    return { kind: "request", method: request[1] ?? "", target: request[2] ?? "", headers, body };
  const status = STATUS.exec(first);
  if (status === null) return undefined;
  return { kind: "response", status: Number(status[1]), reason: status[2] ?? "", headers, body };
}

function parseHeaders(lines: string[]): SipHeader[] | undefined {
  if (lines.length > HEADERS_MAX) return undefined;
  const headers: SipHeader[] = [];
  for (const line of lines) {
    if (line === "") continue;
    const match = /^([A-Za-z0-9\-.!%*_+`'~]{1,64})[ \t]*:(.*)$/.exec(line);
    if (match === null) return undefined;
    const name = (match[1] ?? "").toLowerCase();
    headers.push({ name: SHORT_NAMES.get(name) ?? name, value: (match[2] ?? "").trim() });
  }
  return headers;
}

/** Undefined if the body is shorter than Content-Length. */
function cutBody(rest: string, headers: SipHeader[]): string | undefined {
  const claimed = headers.find((header) => header.name === "content-length")?.value;
  if (claimed === undefined) return rest;
  const bytes = Buffer.from(rest, "utf8");
  if (!/^\d{1,6}$/.test(claimed) || Number(claimed) > bytes.length) return undefined;
  return bytes.subarray(0, Number(claimed)).toString("utf8");
}

export function findHeader(message: SipMessage, name: string): string | undefined {
  return message.headers.find((header) => header.name === name)?.value;
}

/** Lines of a header whose values may contain commas. */
export function headerLines(message: SipMessage, name: string): string[] {
  return message.headers.filter((header) => header.name === name).map((header) => header.value);
}

const CLOSING: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["<", ">"],
]);

/** Commas inside quotes or angle brackets do not separate values. */
export function splitAtCommas(line: string): string[] {
  const values: string[] = [];
  let start = 0;
  let closing = "";
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at];
    if (closing !== "") {
      if (character === "\\" && closing === '"') at += 1;
      else if (character === closing) closing = "";
    } else if (character === ",") {
      values.push(line.slice(start, at));
      start = at + 1;
    } else closing = CLOSING.get(character ?? "") ?? "";
  }
  return [...values, line.slice(start)];
}

/** All values of a header that may repeat or contain several values. */
export function headerValues(message: SipMessage, name: string): string[] {
  return headerLines(message, name)
    .flatMap(splitAtCommas)
    .map((value) => value.trim())
    .filter((value) => value !== "");
}

/** A parameter after the address: the tag of From and To, the branch of Via. */
export function findParameter(value: string, name: string): string | undefined {
  const afterAddress = value.slice(value.lastIndexOf(">") + 1);
  for (const parameter of afterAddress.split(";").slice(1)) {
    const [key = "", content = ""] = parameter.split("=");
    if (key.trim().toLowerCase() === name) return content.trim();
  }
  return undefined;
}

/** The URI of `"Name" <sip:…>;tag=…` or of a bare `sip:…`. */
export function findUri(value: string): string | undefined {
  const bracketed = /<([^<>]{1,512})>/.exec(value)?.[1];
  const uri = bracketed ?? value.split(";")[0]?.trim() ?? "";
  return /^sips?:[^\s<>"]{1,512}$/i.test(uri) ? uri : undefined;
}

/** Host and port of a SIP URI. The default port is 5060. */
export function findHostPort(uri: string): { host: string; port: number } | undefined {
  const match = /^sips?:(?:[^@]*@)?(?:\[([0-9A-Fa-f:.]+)\]|([^:;?]+))(?::(\d{1,5}))?(?:[;?].*)?$/i.exec(uri);
  const host = match?.[1] ?? match?.[2];
  const port = match?.[3] === undefined ? 5060 : Number(match[3]);
  return host === undefined || port < 1 || port > 65_535 ? undefined : { host, port };
}

const WRITTEN_NAMES: ReadonlyMap<string, string> = new Map([
  ["call-id", "Call-ID"],
  ["cseq", "CSeq"],
]);

export function writeMessage(message: SipMessage): Buffer {
  const first =
    message.kind === "request"
      ? `${message.method} ${message.target} SIP/2.0`
      : `SIP/2.0 ${message.status} ${message.reason}`;
  const lines = message.headers.map(({ name, value }) => `${writtenName(name)}: ${value}`);
  const length = Buffer.byteLength(message.body);
  return Buffer.from([first, ...lines, `Content-Length: ${length}`, "", message.body].join("\r\n"));
}

function writtenName(name: string): string {
  return WRITTEN_NAMES.get(name) ?? name.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
