/** Cross-origin requests (CORS): allowed origins, methods and headers. */
import type { Element } from "./markup.ts";
import type { Fields, Reply } from "./run.ts";
import { fail, Reading, type Step, textsIn } from "./step.ts";

type Pairs = [string, string][];
type Rules = {
  readonly origins: ReadonlySet<string>;
  readonly methods: readonly string[];
  readonly headers: readonly string[];
  readonly exposed: readonly string[];
  readonly withCredentials: boolean;
  readonly maxAgeSeconds: number;
};
const ASKED_METHOD = "access-control-request-method";
const ANY = "*";

function rulesOf(element: Element): Rules {
  const reading = new Reading(element);
  const withCredentials = reading.flag("allow-credentials", false);
  const children = reading.children(
    "allowed-origins",
    "allowed-methods",
    "allowed-headers",
    "expose-headers",
  );
  reading.done();
  const child = (name: string) => children.find((one) => one.name === name);
  const methods = child("allowed-methods");
  const age = { min: 0, max: 86_400, otherwise: 0 };
  return {
    origins: new Set(textsIn(child("allowed-origins"), "origin")),
    methods: textsIn(methods, "method"),
    headers: textsIn(child("allowed-headers"), "header"),
    exposed: textsIn(child("expose-headers"), "header"),
    withCredentials,
    maxAgeSeconds: methods ? new Reading(methods).whole("preflight-result-max-age", age) : 0,
  };
}
const given = (name: string, values: readonly string[]): Pairs =>
  values.length === 0 ? [] : [[name, values.join(", ")]];
const commonHeaders = ({ origins, withCredentials }: Rules, origin: string): Pairs => [
  ["access-control-allow-origin", origins.has(ANY) ? ANY : origin],
  ["vary", "Origin"],
  ...given("access-control-allow-credentials", withCredentials ? ["true"] : []),
];
/** For a wildcard, the requested value is returned. */
const allowedOf = (allowed: readonly string[], asked: string | undefined): readonly string[] =>
  allowed.includes(ANY) ? [asked ?? ""] : allowed;
function preflightReply(rules: Rules, origin: string, asked: Fields): Reply {
  const methods = rules.methods.length === 0 ? ["GET", "POST"] : rules.methods;
  const headers = asked.find("access-control-request-headers");
  return {
    status: 200,
    headers: [
      ...commonHeaders(rules, origin),
      ...given("access-control-allow-methods", allowedOf(methods, asked.find(ASKED_METHOD))),
      ...given(
        "access-control-allow-headers",
        headers === undefined ? [] : allowedOf(rules.headers, headers),
      ),
      ...given("access-control-max-age", rules.maxAgeSeconds > 0 ? [String(rules.maxAgeSeconds)] : []),
    ],
    body: "",
  };
}

export function cors(element: Element): Step["run"] {
  const rules = rulesOf(element);
  const { origins, withCredentials, exposed } = rules;
  if (origins.size === 0) fail(element, "allowed-origins must be given.");
  if (withCredentials && origins.has(ANY))
    fail(element, "With allow-credentials every origin must be named.");
  return ({ request, answerHeaders }, _tools, note) => {
    const origin = request.headers.find("origin");
    if (origin === undefined) return undefined;
    const isAllowed = origins.has(ANY) || origins.has(origin);
    note(isAllowed ? "allowed" : "other origin");
    if (request.method === "OPTIONS" && request.headers.find(ASKED_METHOD) !== undefined)
      return isAllowed
        ? preflightReply(rules, origin, request.headers)
        : { status: 200, headers: [], body: "" };
    if (isAllowed)
      answerHeaders.push(...commonHeaders(rules, origin), ...given("access-control-expose-headers", exposed));
    return undefined;
  };
}
