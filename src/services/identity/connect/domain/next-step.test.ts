/** The next step of a pending request. */
import { describe, expect, it } from "vitest";
import type { BrowserSession } from "../../people/index.ts";
import type { AuthorizationRequest, Prompt } from "./authorization-request.ts";
import { decideNextStep, type Situation } from "./next-step.ts";

const NOW = 1_700_000_000_000;
const session: BrowserSession = {
  id: "sid_1",
  account: "111111111111",
  userId: "user_1",
  authTimeMs: NOW - 60_000,
  browserState: "b",
  methods: ["pwd"],
};
const request = (change: Partial<AuthorizationRequest> = {}): AuthorizationRequest => ({
  clientId: "app_1",
  responseType: "code",
  responseMode: "query",
  redirectUri: "https://app.example.org/",
  state: "s",
  scopes: ["openid", "email"],
  display: "page",
  prompts: [],
  codeChallengeMethod: "plain",
  ...change,
});
const decide = (change: Partial<Situation> = {}) =>
  decideNextStep({
    request: request(),
    nowMs: NOW,
    session,
    subject: "user_1",
    consent: ["openid", "email"],
    progress: {},
    loginHintUserId: undefined,
    confirmRedirect: false,
    ...change,
  });
const asked = (step: string, mustReauthenticate = false) => ({ kind: "ask", step, mustReauthenticate });
const refused = (error: string) => ({ kind: "refuse", problem: { error, description: expect.any(String) } });
const prompts = (...words: Prompt[]) => ({ request: request({ prompts: words }) });

describe("without prompt", () => {
  it("answers at once when somebody is signed in and has agreed", () => {
    expect(decide()).toEqual({ kind: "answer", session, scopes: ["openid", "email"] });
  });
  it("asks to sign in when nobody is", () => {
    expect(decide({ session: undefined })).toEqual(asked("sign-in"));
  });
  it("asks for what was not agreed to yet", () => {
    expect(decide({ consent: ["openid"] })).toEqual(asked("consent"));
  });
  it("grants what was agreed to just now and nothing else, but always openid", () => {
    const progress = { agreement: { userId: "user_1", scopes: [] } };
    expect(decide({ consent: [], progress })).toMatchObject({ kind: "answer", scopes: ["openid"] });
  });
  it("does not take somebody else's agreement", () => {
    const progress = { agreement: { userId: "user_other", scopes: ["openid", "email"] } };
    expect(decide({ consent: [], progress })).toEqual(asked("consent"));
  });
  it("lets a redirect that is not registered be confirmed", () => {
    expect(decide({ confirmRedirect: true })).toEqual(asked("consent"));
  });
});

describe("prompt and max_age", () => {
  it("login asks again, once", () => {
    expect(decide(prompts("login"))).toEqual(asked("sign-in", true));
    expect(decide({ ...prompts("login"), progress: { signedInSessionId: "sid_1" } })).toMatchObject({
      kind: "answer",
    });
  });
  it("consent asks again, once", () => {
    expect(decide(prompts("consent"))).toEqual(asked("consent"));
  });
  it("login and consent ask for both in turn", () => {
    expect(decide(prompts("login", "consent"))).toEqual(asked("sign-in", true));
    const progress = { signedInSessionId: "sid_1" };
    expect(decide({ ...prompts("login", "consent"), progress })).toEqual(asked("consent"));
  });
  it("select_account lets the person choose", () => {
    expect(decide(prompts("select_account"))).toEqual(asked("choose-account"));
    const progress = { chosenSessionId: "sid_1" };
    expect(decide({ ...prompts("select_account"), progress })).toMatchObject({ kind: "answer" });
  });
  it.each([
    [59, "ask"],
    [60, "answer"],
    [10_000, "answer"],
    [0, "ask"],
  ])("max_age %d with a sign-in 60 seconds ago: %s", (maxAgeSeconds, kind) => {
    expect(decide({ request: request({ maxAgeSeconds }) })).toMatchObject({ kind });
  });
  it("max_age 0 is satisfied by a sign-in within the request", () => {
    const situation = { request: request({ maxAgeSeconds: 0 }), progress: { signedInSessionId: "sid_1" } };
    expect(decide(situation)).toMatchObject({ kind: "answer" });
  });
});

describe("prompt none", () => {
  it("answers when nothing is missing", () => {
    expect(decide(prompts("none"))).toMatchObject({ kind: "answer" });
  });
  it.each([
    ["login_required", { session: undefined }],
    ["login_required", { request: request({ prompts: ["none"], maxAgeSeconds: 1 }) }],
    ["login_required", { request: request({ prompts: ["none"], expectedSubjects: ["user_2"] }) }],
    ["consent_required", { consent: [] }],
    ["account_selection_required", { loginHintUserId: "user_2" }],
    ["interaction_required", { confirmRedirect: true }],
  ] as const)("%s", (error, change) => {
    expect(decide({ ...prompts("none"), ...change })).toEqual(refused(error));
  });
});

describe("hints", () => {
  it("asks the person whom the ID token names to sign in", () => {
    expect(decide({ request: request({ expectedSubjects: ["user_2"] }) })).toEqual(asked("sign-in"));
  });
  it("refuses when somebody else signed in then", () => {
    const situation = {
      request: request({ expectedSubjects: ["user_2"] }),
      progress: { signedInSessionId: "sid_1" },
    };
    expect(decide(situation)).toEqual(refused("login_required"));
  });
});
