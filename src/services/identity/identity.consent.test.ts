/**
 * Consent belongs to one person: it never applies to anybody else, and another site cannot frame the
 * question.
 */
import { expect, it } from "vitest";
import {
  ann,
  authorizeUrl,
  claimsIn,
  exchange,
  formsOf,
  parametersOf,
  registerClient,
  TestBrowser,
  type TestClient,
} from "../../../tests/support/identity-browser.ts";
import { addBob, bob } from "../../../tests/support/identity-people.ts";
import { type Instance, onBothDatabases } from "../../../tests/support/medley.ts";

const ending = (end: string) => (form: { action: string }) => form.action.endsWith(end);
/** Ann signs in and agrees; the browser has not yet been sent on to the application. */
async function annAgrees(instance: Instance, client: TestClient, change: Record<string, string> = {}) {
  const browser = new TestBrowser(instance);
  const page =
    (await browser.open(authorizeUrl(client, { scope: "openid email", ...change }))).location ?? "";
  const signedIn = await browser.submit(await browser.open(page), ending("/sign-in"), ann);
  const asked = await browser.open((await browser.open(signedIn.location ?? "")).location ?? "");
  const agreed = await browser.submit(asked, ending("/consent"));
  expect(agreed.location).toContain("/authorize/resume/");
  return { browser, page, resume: agreed.location ?? "" };
}

onBothDatabases("identity: consent", (instance) => {
  it.each([
    ["without a prompt", {}],
    ["after prompt=consent", { prompt: "consent" }],
    ["after prompt=login consent", { prompt: "login consent" }],
  ])("does not pass to somebody who signs in within the same request, %s", async (_name, change) => {
    await addBob(instance());
    const client = await registerClient(instance());
    const { browser, page, resume } = await annAgrees(instance(), client, change);
    const another = await browser.submit(await browser.open(`${page}/sign-in`), ending("/sign-in"), bob);
    expect(another.location).toBe(resume);
    const next = await browser.open(resume);
    expect(next.status).toBe(303);
    const question = await browser.open(next.location ?? "");
    expect(question.html).toContain("bob@example.org");
    expect(formsOf(question.html).some(ending("/consent"))).toBe(true);
    const agreed = await browser.submit(question, ending("/consent"));
    const end = await browser.open(agreed.location ?? "");
    const { body } = await exchange(instance(), client, parametersOf(new URL(end.location ?? "")).code);
    const told = await instance().send("GET", "/identity/userinfo", {
      headers: { authorization: `Bearer ${body.access_token}` },
    });
    expect(told.body.email).toBe("bob@example.org");
    expect(told.body.sub).toBe(claimsIn(body.id_token).sub);
  });

  it("counts for the person who gave it, also after they signed in anew within the request", async () => {
    const client = await registerClient(instance());
    const { browser, page, resume } = await annAgrees(instance(), client, { prompt: "consent" });
    await browser.submit(await browser.open(`${page}/sign-in`), ending("/sign-in"), ann);
    const end = await browser.open(resume);
    expect(parametersOf(new URL(end.location ?? "")).code).toBeDefined();
  });

  it("is asked for in a frame of registered addresses only, also in test mode", async () => {
    const policyOf = async (client: TestClient) => {
      const browser = new TestBrowser(instance());
      const url = authorizeUrl(client, {
        display: "modal",
        redirect_uri: "https://unregistered.example.org/answer",
      });
      const page = await browser.open((await browser.open(url)).location ?? "");
      expect(page.status).toBe(200);
      return page.headers.get("content-security-policy") ?? "";
    };
    const some = await registerClient(instance(), { test_mode: true });
    expect(await policyOf(some)).toMatch(/frame-ancestors http:\/\/localhost:9;/);
    const none = await registerClient(instance(), { test_mode: true, redirect_uris: [] });
    expect(await policyOf(none)).toContain("frame-ancestors 'none'");
  });
});
