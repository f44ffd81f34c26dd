/** Policies that admit or reject a call, and policies that reply without the backend. */
import { mayBeShared } from "./cacheable.ts";
import type { Element } from "./markup.ts";
import type { PolicyRun } from "./run.ts";
import {
  fail,
  findChild,
  type JwtRules,
  Reading,
  refused,
  type Section,
  type Step,
  textsIn,
} from "./step.ts";

type Run = Step["run"];

export function checkHeader(element: Element): Run {
  const reading = new Reading(element);
  const name = reading.text("name");
  const status = reading.whole("failed-check-httpcode", { min: 400, max: 599 });
  const message = reading.text("failed-check-error-message");
  const anyCase = reading.flag("ignore-case", true);
  const folded = (text: string): string => (anyCase ? text.toLowerCase() : text);
  reading.children("value");
  reading.done();
  const wanted = new Set(textsIn(element, "value").map(folded));
  return (run, _tools, note) => {
    const found = run.request.headers.find(name(run));
    const isGood = found !== undefined && (wanted.size === 0 || wanted.has(folded(found)));
    note(isGood ? "passed" : "refused");
    return isGood
      ? undefined
      : refused(
          status,
          message(run),
          found === undefined ? "HeaderNotFound" : "HeaderValueNotAllowed",
          "check-header",
        );
  };
}

/** Each API and each operation has a separate counter. */
const levelOf = (scope: string, { api, product, operation }: PolicyRun): string => {
  if (scope === "service") return "";
  if (scope === "product") return product?.id ?? "";
  return scope === "api" ? api.id : `${api.id} ${operation?.id}`;
};
export function rateLimitByKey(element: Element, _section: Section, scope: string): Run {
  const reading = new Reading(element);
  const calls = reading.whole("calls", { min: 1, max: 1_000_000 });
  const seconds = reading.whole("renewal-period", { min: 1, max: 300 });
  const key = reading.text("counter-key");
  const remaining = reading.headerName("remaining-calls-header-name");
  const retryHeader = reading.headerName("retry-after-header-name") ?? "Retry-After";
  reading.children();
  reading.done();
  const place = `${scope} ${element.place.line}:${element.place.column}`;
  return (run, tools, note) => {
    const counted = tools.countCall(`${place} ${levelOf(scope, run)} ${key(run)}`, calls, seconds);
    if (counted && counted.left >= 0) {
      if (remaining !== undefined) run.answerHeaders.push([remaining, String(counted.left)]);
      note(`${counted.left} calls left`);
      return undefined;
    }
    const wait = String(counted?.waitSeconds ?? seconds);
    note("refused");
    const message = `Rate limit is exceeded. Try again in ${wait} seconds.`;
    return refused(429, message, "RateLimitExceeded", "rate-limit-by-key", [[retryHeader, wait]]);
  };
}
const clockOf = (seconds: number): string =>
  [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
export function quotaByKey(element: Element): Run {
  const reading = new Reading(element);
  const calls = reading.whole("calls", { min: 1, max: 1_000_000_000 });
  const seconds = reading.whole("renewal-period", { min: 300, max: 999_999_999 });
  const key = reading.text("counter-key");
  reading.children();
  reading.done();
  return async (run, tools, note) => {
    const { isFull, waitSeconds } = await tools.countQuota(key(run), calls, seconds);
    note(isFull ? "refused" : "counted");
    if (!isFull) return undefined;
    const message = `Out of call volume quota. Quota will be replenished in ${clockOf(waitSeconds)}.`;
    return refused(403, message, "QuotaExceeded", "quota-by-key", [["Retry-After", String(waitSeconds)]]);
  };
}

function jwtRulesOf(element: Element, reading: Reading): JwtRules {
  const children = reading.children(
    "openid-config",
    "issuer-signing-keys",
    "audiences",
    "issuers",
    "required-claims",
  );
  const openidConfigs = children.flatMap((child) =>
    child.name === "openid-config" ? [new Reading(child).needed("url")] : [],
  );
  const odd = openidConfigs.find((url) => !/^https?:\/\//.test(url) || !URL.canParse(url));
  if (odd !== undefined) fail(element, `'${odd}' is no address of a configuration.`);
  const keys = textsIn(findChild(element, "issuer-signing-keys"), "key");
  if (openidConfigs.length === 0 && keys.length === 0)
    fail(element, "openid-config or issuer-signing-keys must be given.");
  if (keys.some((key) => Buffer.from(key, "base64").length === 0))
    fail(element, "A key of issuer-signing-keys is empty.");
  const required = findChild(element, "required-claims");
  const claims = (required ? new Reading(required).children("claim") : []).map((claim) => {
    const own = new Reading(claim);
    const rule = {
      name: own.needed("name"),
      match: own.oneOf("match", ["all", "any"], "all"),
      separator: own.plain("separator"),
      values: textsIn(claim, "value"),
    };
    own.done();
    return rule;
  });
  return {
    openidConfigs,
    keys,
    claims,
    audiences: textsIn(findChild(element, "audiences"), "audience"),
    issuers: textsIn(findChild(element, "issuers"), "issuer"),
    requireExpiration: reading.flag("require-expiration-time", true),
    skewSeconds: reading.whole("clock-skew", { min: 0, max: 86_400, otherwise: 0 }),
  };
}
export function validateJwt(element: Element): Run {
  const reading = new Reading(element);
  const [header, parameter, value] = [
    reading.plain("header-name"),
    reading.plain("query-parameter-name"),
    reading.findText("token-value"),
  ];
  if ([header, parameter, value].filter((one) => one !== undefined).length !== 1)
    fail(element, "One of header-name, query-parameter-name and token-value must be given.");
  const status = reading.whole("failed-validation-httpcode", { min: 400, max: 599, otherwise: 401 });
  const message = reading.findText("failed-validation-error-message");
  const scheme = reading.plain("require-scheme");
  if (!reading.flag("require-signed-tokens", true))
    fail(element, "Tokens without a signature are not accepted.");
  const rules = jwtRulesOf(element, reading);
  reading.done();
  const shown = (run: PolicyRun): string | undefined => {
    const given =
      header !== undefined
        ? run.shown.headers.find(header)
        : parameter !== undefined
          ? run.shown.query.find(parameter)
          : value?.(run);
    if (given === undefined || header === undefined) return given || undefined;
    const space = given.indexOf(" ");
    const word = space < 0 ? "" : given.slice(0, space);
    if (scheme !== undefined && word.toLowerCase() !== scheme.toLowerCase()) return undefined;
    return given.slice(space + 1).trim() || undefined;
  };
  return async (run, tools, note) => {
    const token = shown(run);
    const problem = token === undefined ? "JWT not present." : await tools.findTokenProblem(token, rules);
    note(problem ?? "passed");
    if (problem === undefined) return undefined;
    return refused(
      status,
      message?.(run) ?? problem,
      token === undefined ? "TokenNotPresent" : "TokenInvalid",
      "validate-jwt",
    );
  };
}

/** The answer to a request with one of these may be for this caller only. */
const PRIVATE_HEADERS = ["authorization", "cookie"];
export function cacheLookup(element: Element): Run {
  const reading = new Reading(element);
  const perSubscriber = reading.flag("vary-by-developer", false);
  reading.flag("vary-by-developer-groups", false);
  reading.oneOf("caching-type", ["internal", "prefer-external"], "internal");
  reading.oneOf("downstream-caching-type", ["none"], "none");
  const allowsPrivate = reading.flag("allow-private-response-caching", false);
  const children = reading.children("vary-by-header", "vary-by-query-parameter");
  reading.done();
  const named = children.flatMap(({ name, text }) => (name === "vary-by-header" ? [text.trim()] : []));
  // A caller gets no compressed response unless it accepts one.
  const varied = new Set(["accept-encoding", ...named.map((name) => name.toLowerCase())]);
  const unvaried = PRIVATE_HEADERS.filter((name) => !allowsPrivate && !varied.has(name));
  const names = children.flatMap(({ name, text }) =>
    name === "vary-by-query-parameter" ? text.split(";") : [],
  );
  const parameters = new Set(names.map((name) => name.trim().toLowerCase()));
  return (run, tools, note) => {
    const { request, api, subscription } = run;
    if (request.method !== "GET") return undefined;
    if (unvaried.some((name) => run.shown.headers.find(name) !== undefined)) {
      note("private");
      return undefined;
    }
    const isKept = (name: string): boolean => parameters.size === 0 || parameters.has(name.toLowerCase());
    const query = request.query.pairs.filter(([name]) => isKept(name));
    const key = JSON.stringify([
      api.id,
      // The backend hears both, and may answer with addresses made of them.
      request.original.scheme,
      run.shown.headers.find("host") ?? null,
      request.original.path,
      query,
      [...varied].map((name) => request.headers.find(name) ?? null),
      perSubscriber ? subscription?.id : null,
    ]);
    run.cache = { key, varied, seconds: undefined };
    const cached = tools.findCached(key);
    note(cached ? "hit" : "miss");
    return cached;
  };
}
export function cacheStore(element: Element): Run {
  const reading = new Reading(element);
  const seconds = reading.whole("duration", { min: 1, max: 2_592_000 });
  reading.children();
  reading.done();
  return (run, _tools, note) => {
    const { cache, response } = run;
    const names = response?.headers.find("vary")?.split(",") ?? [];
    const isVaried = names.every((name) => cache?.varied.has(name.trim().toLowerCase()));
    const isKept =
      cache !== undefined && response?.status === 200 && isVaried && mayBeShared(response.headers);
    if (isKept) cache.seconds = seconds;
    note(isKept ? `for ${seconds} s` : "not kept");
    return undefined;
  };
}
