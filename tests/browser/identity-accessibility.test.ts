/** Every page of the identity service against the rules for accessible pages, in a real Chromium. */
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ann, IdentityStage } from "../support/identity-stage.ts";

const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const NARROWEST = 320;

let stage: IdentityStage;
beforeAll(async () => {
  stage = await IdentityStage.open();
}, 300_000);
afterAll(() => stage?.close());

/** Also whether the page has to be scrolled sideways on the smallest phone. */
async function problemsOn(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = (await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(rules)} }).then((result) => result.violations.map((one) => one.id + ": " + one.nodes.map((node) => node.html.slice(0, 120)).join(" | ")))`,
  )) as string[];
  const size = page.viewportSize() ?? { width: 0, height: 0 };
  await page.setViewportSize({ width: NARROWEST, height: 640 });
  const overflow = (await page.evaluate(
    "document.documentElement.scrollWidth - window.innerWidth",
  )) as number;
  await page.setViewportSize(size);
  return [...found, ...(overflow > 0 ? [`scrolls sideways by ${overflow}`] : [])];
}

it.each([
  ["light", 390, 844],
  ["dark", 1280, 800],
] as const)(
  "no page breaks a rule: %s, %i pixels wide",
  async (colorScheme, width, height) => {
    const { context, page } = await stage.visit({ colorScheme, viewport: { width, height } });
    const broken: Record<string, string[]> = {};
    const look = async (name: string, address?: string) => {
      if (address !== undefined) await page.goto(address);
      const problems = await problemsOn(page);
      if (problems.length > 0) broken[name] = problems;
    };
    for (const display of ["page", "popup", "modal"]) {
      await look(`sign-in ${display}`, stage.authorizeUrl({ display, prompt: "login" }));
      await page.getByRole("link", { name: "Create an account" }).click();
      await look(`sign-up ${display}`);
      await page.getByLabel("User name").fill("a");
      await page.getByLabel("E-mail").fill("a@example.org");
      await page.getByLabel("Password").fill("short");
      await page.getByRole("button", { name: "Create account" }).click();
      await page.locator(".problem").first().waitFor();
      await look(`sign-up again ${display}`);
    }
    await page.goto(`${stage.base}/sign-in`);
    await stage.signIn(page, { ...ann, password: "wrong password" });
    await page.getByRole("alert").first().waitFor();
    await look("sign-in again");
    await stage.signIn(page);
    await page.getByRole("heading", { name: "Ann Example" }).waitFor();
    for (const display of ["page", "popup", "modal"])
      await look(`consent ${display}`, stage.authorizeUrl({ display, prompt: "consent" }));
    await look("choose", stage.authorizeUrl({ prompt: "select_account" }));
    await look("sign-out", `${stage.base}/logout`);
    for (const path of ["/account", "/account/security", "/account/applications"])
      await look(path, stage.base + path);
    for (const path of ["/forgotten", "/reset", "/verify?token=x", "/authorize", "/dashboard"])
      await look(path, stage.base + path);
    await page.getByLabel("Access token").fill("first-token-0001");
    await page.getByRole("button", { name: "Sign in" }).click();
    await look("clients");
    await look("new client", `${stage.base}/dashboard/clients/new`);
    await page.locator("summary", { hasText: "More" }).click();
    await look("new client, more");
    await look("client", `${stage.base}/dashboard/clients/${stage.client.client_id}`);
    expect(broken).toEqual({});
    await context.close();
  },
  120_000,
);
