/** Signed query services: the action is a parameter of a form or of the address, answers and errors are XML, or JSON on request. */

import { isoOf } from "../../clock/index.ts";
import { type Answer, answer } from "../../operation/answers.ts";
import { headerOf } from "../credentials.ts";
import { preferredOf } from "../negotiation.ts";
import type { AnsweredCall, Protocol } from "../protocol.ts";
import { type SigV4Options, sigv4 } from "./protocol.ts";
import { queryErrors } from "./refusal.ts";

const XML = "text/xml";
const JSON_TYPE = "application/json";
const MARKS: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "\r": "&#xD;",
};
/** No XML may hold them, however they are written. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const escapeXml = (text: string): string =>
  text.replace(UNWRITABLE, "\ufffd").replace(/[&<>"'\r]/g, (mark) => MARKS[mark] ?? mark);

/** An instant: ISO text in XML, a number of seconds in JSON. */
export class QueryTime {
  readonly ms: number;
  constructor(ms: number) {
    this.ms = ms;
  }
}
export type QueryResult = Members;
type Members = { readonly [name: string]: string | number | QueryTime | Members | undefined };
/** To the second, as makers write them. */
const xmlTime = ({ ms }: QueryTime): string => `${isoOf(ms).slice(0, 19)}Z`;
function xmlOf(members: Members): string {
  let text = "";
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) continue;
    const isPlain = typeof value !== "object";
    const inner = isPlain
      ? escapeXml(String(value))
      : value instanceof QueryTime
        ? xmlTime(value)
        : xmlOf(value);
    text += `<${name}>${inner}</${name}>`;
  }
  return text;
}
const jsonOf = (members: Members): object =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => {
      if (typeof value !== "object") return [name, value];
      return [name, value instanceof QueryTime ? Math.floor(value.ms / 1000) : jsonOf(value)];
    }),
  );

const wantsJson = ({ headers }: Pick<AnsweredCall, "headers">): boolean =>
  preferredOf(headerOf({ headers }, "accept"), [XML, JSON_TYPE]) === JSON_TYPE;
const rooted = (namespace: string, name: string, members: Members): string =>
  `<${name} xmlns="${escapeXml(namespace)}">${xmlOf(members)}</${name}>\n`;

/** What an action answers. */
export function queryAnswer(
  call: AnsweredCall,
  { namespace, action, result }: { namespace: string; action: string; result: Members },
): Answer<string> {
  const members = { [`${action}Result`]: result, ResponseMetadata: { RequestId: call.id } };
  const name = `${action}Response`;
  if (wantsJson(call))
    return answer(200, JSON.stringify({ [name]: jsonOf(members) }), { "content-type": JSON_TYPE });
  return answer(200, rooted(namespace, name, members), { "content-type": XML });
}

export function sigv4Query(options: SigV4Options & { readonly namespace: string }): Protocol {
  const { namespace, errorNames } = options;
  return {
    ...sigv4({
      ...options,
      refusals: queryErrors,
      errorNames: {
        malformedBody: ["MalformedQueryString", 400],
        invalidInput: ["ValidationError", 400],
        unauthenticated: ["MissingAuthenticationToken", 403],
        forbidden: ["AccessDenied", 403],
        routeNotFound: ["InvalidAction", 404],
        methodNotAllowed: ["InvalidAction", 405],
        bodyTooLarge: ["RequestEntityTooLarge", 413],
        urlTooLong: ["RequestUriTooLong", 414],
        headersTooLarge: ["RequestHeadersTooLarge", 431],
        unsupportedMediaType: ["UnsupportedMediaType", 415],
        timedOut: ["ServiceUnavailable", 503],
        conflict: ["Conflict", 409],
        throttled: ["Throttling", 429],
        unavailable: ["ServiceUnavailable", 503],
        internal: ["InternalFailure", 500],
        ...errorNames,
      },
    }),
    renderError({ status, code, message }, call) {
      const error = { Type: status < 500 ? "Sender" : "Receiver", Code: code, Message: message };
      const members = { Error: error, RequestId: call.id };
      return wantsJson(call)
        ? { status, headers: { "content-type": JSON_TYPE }, body: members }
        : { status, headers: { "content-type": XML }, body: rooted(namespace, "ErrorResponse", members) };
    },
    errorSchema: {
      type: "object",
      required: ["Error", "RequestId"],
      properties: {
        Error: {
          type: "object",
          description: "What is wrong.",
          required: ["Type", "Code", "Message"],
          properties: {
            Type: { type: "string", description: "Whose mistake it is.", examples: ["Sender"] },
            Code: { type: "string", description: "The name of the error.", examples: ["AccessDenied"] },
            Message: {
              type: "string",
              description: "What is wrong, in words for people.",
              examples: ["'RoleArn' must be given."],
            },
          },
        },
        RequestId: {
          type: "string",
          description: "The id of the request, for questions about it.",
          examples: ["01234567-89ab-4def-8123-456789abcdef"],
        },
      },
    },
  };
}
