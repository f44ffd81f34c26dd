/** The gateway to deployed functions: checks access and forwards each request. */
import type { Gateway, PassingRequest } from "#kernel/operation";
import { holding } from "./conditions.ts";
import {
  findTaggedRevision,
  INVOKE_PERMISSION,
  isGranted,
  isInternalAddress,
  nameOfFunction,
  splitTagged,
} from "./domain/index.ts";
import { askingOf, isOwner } from "./members.ts";
import { BadArchive } from "./running/archive.ts";
import { bringingOfServed } from "./running/bring-up.ts";
import { type Handed, handOver } from "./running/hand-over.ts";
import { CannotStart } from "./running/instance.ts";
import { Busy, CallerLeft } from "./running/pool.ts";
import { MissingSecret } from "./running/secrets.ts";
import type { FunctionsContext } from "./state.ts";
import { findServed, type ServedFunction } from "./store/index.ts";

const ALLOW_ALL = "ALLOW_ALL";
const ENCRYPTED_ONLY = "SECURE_ALWAYS";
/** Other names cannot exist, so they are not looked up. */
const TARGET = /^[a-z0-9-]{1,150}$/;

const page = (title: string, text: string): string =>
  `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>\n<body><h1>${title}</h1>\n<p>${text}</p></body></html>\n`;

/** Answers with a small HTML page, like the public front end. */
const refuse = (passing: PassingRequest, status: number, title: string, text: string, headers = {}): void =>
  passing.answer(status, { "content-type": "text/html; charset=UTF-8", ...headers }, page(title, text));
const notFound = (passing: PassingRequest): void =>
  refuse(passing, 404, "Error: Page not found", "The requested URL was not found on this server.");

/** Cache: most functions are open to everybody or to nobody, independent of the time. */
const openToAll = new WeakMap<ServedFunction, boolean>();
function isOpenToAll(served: ServedFunction): boolean {
  let isOpen = openToAll.get(served);
  if (isOpen === undefined) {
    isOpen = isGranted(served.policy, INVOKE_PERMISSION, askingOf(undefined), () => false);
    openToAll.set(served, isOpen);
  }
  return isOpen;
}

async function mayInvoke(
  passing: PassingRequest,
  served: ServedFunction,
  nowMs: number,
): Promise<boolean | undefined> {
  if (isOpenToAll(served)) return true;
  const { bindings } = served.policy;
  const conditions = bindings.flatMap(({ condition }) => condition ?? []);
  const holds = await holding(conditions, {
    nowMs,
    resourceName: nameOfFunction(served),
    path: passing.url,
    host: passing.request.headers.host ?? "",
  });
  if (isGranted(served.policy, INVOKE_PERMISSION, askingOf(undefined), holds)) return true;
  const caller = await passing.findCaller();
  if (!caller) return undefined;
  return (
    isOwner(caller, served.account) || isGranted(served.policy, INVOKE_PERMISSION, askingOf(caller), holds)
  );
}

/** True where the request may go on; answers it otherwise. */
async function isLetIn(passing: PassingRequest, served: ServedFunction, nowMs: number): Promise<boolean> {
  const { ingressSettings = ALLOW_ALL, securityLevel } = served.definition.serviceConfig;
  if (ingressSettings !== ALLOW_ALL && !isInternalAddress(passing.remoteAddress)) {
    refuse(passing, 404, "Error: Page not found", "The function is open to internal requests only.");
    return false;
  }
  if (securityLevel === ENCRYPTED_ONLY && passing.scheme !== "https") {
    const location = `https://${passing.request.headers.host ?? "localhost"}${passing.request.url ?? "/"}`;
    refuse(passing, 302, "Found", "The function answers encrypted requests only.", { location });
    return false;
  }
  const allowed = await mayInvoke(passing, served, nowMs);
  if (allowed === true) return true;
  if (allowed === undefined)
    refuse(
      passing,
      401,
      "Error: Unauthorized",
      "Your client does not have permission to the requested URL.",
      {
        "www-authenticate":
          'Bearer error="invalid_token" error_description="The access token could not be verified"',
      },
    );
  else
    refuse(
      passing,
      403,
      "Error: Forbidden",
      "Your client does not have permission to get this URL from this server.",
    );
  return false;
}

const ENDINGS: Readonly<Record<Exclude<Handed, "answered" | "failed">, readonly [number, string, string]>> = {
  crashed: [500, "Error: Server Error", "The function ended before it had answered."],
  timedOut: [504, "upstream request timeout", "The function did not answer in time."],
  malformed: [502, "Error: Server Error", "The function's answer could not be understood."],
};

/** The function of an address, and the revision if the address names one by its tag. */
type Called = { readonly served: ServedFunction; readonly tagged: string | undefined };
async function findCalled(target: string, { db, state }: FunctionsContext): Promise<Called | undefined> {
  if (!TARGET.test(target)) return undefined;
  const find = (slug: string) => state.running.findServed(slug, () => findServed(db, slug));
  const { tag, slug } = splitTagged(target) ?? {};
  const owner = slug === undefined ? undefined : await find(slug);
  const tagged = owner && findTaggedRevision(owner, tag ?? "");
  if (owner && tagged !== undefined) return { served: owner, tagged };
  const served = await find(target);
  return served && { served, tagged: undefined };
}

/** Where no process took the request. Returns what the owner should know. */
function refuseFor(passing: PassingRequest, error: unknown): string | undefined {
  if (error instanceof CallerLeft) return undefined;
  if (error instanceof Busy) {
    refuse(passing, 429, "Rate exceeded.", "No instance of the function was free.", { "retry-after": "1" });
    return undefined;
  }
  if (error instanceof CannotStart || error instanceof BadArchive || error instanceof MissingSecret) {
    refuse(passing, 503, "Error: Service Unavailable", "The function could not be started.");
    return error.message;
  }
  throw error;
}

async function invoke(
  passing: PassingRequest,
  { served, tagged }: Called,
  context: FunctionsContext,
): Promise<void> {
  const { running } = context.state;
  const { slug } = served;
  const revision = tagged ?? running.nextRevision(served);
  try {
    const headers = await passing.handedOn();
    const pool = await running.poolOf(() => bringingOfServed(context, served, revision), slug, revision);
    const instance = await pool.acquire(passing.response);
    const handed = await handOver(passing, headers, pool, instance);
    if (handed === "answered") return;
    pool.counts.errors += 1;
    if (handed === "failed" || passing.response.headersSent) {
      if (handed !== "failed") passing.response.destroy();
      return;
    }
    const [status, title, text] = ENDINGS[handed];
    const line = { severity: "ERROR", text: instance.reason ?? text };
    running.logs.add({ account: served.account, slug, revision }, instance.id, line, context.clock.nowMs());
    refuse(passing, status, title, text);
  } catch (error) {
    const reason = refuseFor(passing, error);
    if (reason === undefined) return;
    const line = { severity: "ERROR", text: reason };
    running.logs.add({ account: served.account, slug, revision }, "", line, context.clock.nowMs());
  }
}

export const gateway: Gateway = {
  id: "functions.invoke",
  path: "/functions/run",
  hostLabel: "functions",
  async pass(passing, context) {
    const called = await findCalled(passing.target, context as FunctionsContext);
    if (!called || called.served.revision === undefined || called.served.state === "DELETING") {
      notFound(passing);
      return;
    }
    const { served } = called;
    const own = passing.contextOf(served.account) as FunctionsContext;
    if (passing.isMisleading) {
      refuse(passing, 400, "Error: Bad Request", "The path holds segments that lead elsewhere.");
      return;
    }
    if (await isLetIn(passing, served, context.clock.nowMs())) await invoke(passing, called, own);
  },
};
