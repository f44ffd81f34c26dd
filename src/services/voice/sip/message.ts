/** SIP messages: reading what a peer sent, writing what we send. Junk is answered by undefined, never by an exception. */

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

/** More than any sane answer; a larger datagram is not looked at. */
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

/** A body shorter than it claims to be was cut on the way. */
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

/** The lines of a header whose values have commas inside. */
export function headerLines(message: SipMessage, name: string): string[] {
  return message.headers.filter((header) => header.name === name).map((header) => header.value);
}

const CLOSING: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["<", ">"],
]);

/** Commas in quotation marks and in angle brackets divide nothing. */
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

/** All values of a header that may be repeated or hold several values with commas between. */
export function headerValues(message: SipMessage, name: string): string[] {
  return headerLines(message, name)
    .flatMap(splitAtCommas)
    .map((value) => value.trim())
    .filter((value) => value !== "");
}

/** A parameter behind the address of a header: the tag of From and To, the branch of Via. */
export function findParameter(value: string, name: string): string | undefined {
  const afterAddress = value.slice(value.lastIndexOf(">") + 1);
  for (const parameter of afterAddress.split(";").slice(1)) {
    const [key = "", content = ""] = parameter.split("=");
    if (key.trim().toLowerCase() === name) return content.trim();
  }
  return undefined;
}

/** The address inside `"Name" <sip:…>;tag=…` or a bare `sip:…`. */
export function findUri(value: string): string | undefined {
  const bracketed = /<([^<>]{1,512})>/.exec(value)?.[1];
  const uri = bracketed ?? value.split(";")[0]?.trim() ?? "";
  return /^sips?:[^\s<>"]{1,512}$/i.test(uri) ? uri : undefined;
}

/** Host and port of a SIP address, the port being 5060 when it is not said. */
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
