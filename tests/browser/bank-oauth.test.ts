/** The page on which somebody allows an application to act for them, in a real Chromium: allowed, refused, mistaken. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectAccessible, expectNoSideScroll, VIEWS } from "../support/accessibility.ts";
import { type BankPerson, newPerson } from "../support/bank-people.ts";
import { launchBrowser, visit } from "../support/browser.ts";
import { type HttpReceiver, startHttpReceiver } from "../support/http-receiver.ts";
import { type Instance, startInstance } from "../support/medley.ts";

const [PHONE, DESK] = VIEWS;

let instance: Instance;
let browser: Browser;
let shop: HttpReceiver;
let user: BankPerson;
let application: { readonly id: number; readonly client_id: string; readonly secret: string };
beforeAll(async () => {
  instance = await startInstance({ services: ["bank"], bankRateLimit: 0 });
  browser = await launchBrowser();
  shop = await startHttpReceiver();
  shop.reply = () => ({
    status: 200,
    body: "<p>Back at the shop</p>",
    headers: { "content-type": "text/html" },
  });
  const owner = await newPerson(() => instance, "company");
  user = await newPerson(() => instance);
  const clients = `${owner.user}/oauth-client`;
  const id = await owner.made(clients, {});
  await owner.made(`${clients}/${id}/callback-url`, { url: `${shop.url}/back` });
  application = { id, ...(await owner.done("GET", `${clients}/${id}`)) };
});
afterAll(async () => {
  await browser?.close();
  await shop?.stop();
  await instance?.stop();
});
async function expectSound(page: Page): Promise<void> {
  await expectAccessible(page);
  await expectNoSideScroll(page);
}
const addressOf = (redirectUri = `${shop.url}/back`): string => {
  const asked = {
    response_type: "code",
    client_id: application.client_id,
    redirect_uri: redirectUri,
    state: "s1",
  };
  return `${instance.url}/bank/v1/oauth/authorize?${new URLSearchParams(asked)}`;
};

it("asks again where the key is wrong, and gives the application a key that works", async () => {
  const { context, page } = await visit(browser, PHONE);
  await page.goto(addressOf());
  await expectSound(page);
  await page.getByLabel("Your key").fill("mistaken");
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByRole("alert").waitFor();
  await expectSound(page);
  await page.getByLabel("Your key").fill(user.secret);
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByText("Back at the shop").waitFor();
  const back = new URL(page.url());
  expect([back.origin, back.searchParams.get("state")]).toEqual([shop.url, "s1"]);
  const { body } = await instance.send("POST", "/bank/v1/oauth/token", {
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code: back.searchParams.get("code") ?? "",
      redirect_uri: `${shop.url}/back`,
      client_id: application.client_id,
      client_secret: application.secret,
    }),
  });
  const seen = await user.send("GET", "/user", { token: body.access_token });
  expect(seen.body[0].id).toBe(user.userId);
  await context.close();
});

it("tells the application of a refusal, and leads nobody to an address that is not its own", async () => {
  const { context, page } = await visit(browser, DESK);
  await page.goto(addressOf());
  await expectSound(page);
  await page.getByRole("button", { name: "Refuse" }).click();
  await page.getByText("Back at the shop").waitFor();
  expect(page.url()).toBe(`${shop.url}/back?error=access_denied&state=s1`);
  const answer = await page.goto(addressOf("https://evil.example/"));
  expect(answer?.status()).toBe(400);
  await page.getByText("does not name this address").waitFor();
  expect(await page.locator("form, a[href*=evil]").count()).toBe(0);
  await expectSound(page);
  await context.close();
});
