/** The pages of the bank in a real Chromium: a tab is paid, at once and at the payer's bank, on a phone and a desk. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectAccessible, expectNoSideScroll, VIEWS } from "../support/accessibility.ts";
import { type BankPerson, euros, newPerson } from "../support/bank-people.ts";
import { launchBrowser, visit } from "../support/browser.ts";
import { type Instance, startInstance } from "../support/medley.ts";

let instance: Instance;
let browser: Browser;
let shop: BankPerson;
beforeAll(async () => {
  instance = await startInstance({ services: ["bank"], bankRateLimit: 0 });
  browser = await launchBrowser();
  shop = await newPerson(() => instance, "company");
});
afterAll(async () => {
  await browser?.close();
  await instance?.stop();
});
async function openTab(): Promise<{ path: string; url: string }> {
  const id = await shop.made(`${shop.ledger}/vendorme-tab`, {
    vendorme_tab_entry: { amount_inquired: euros("9.95"), description: "Two coffees and a very good cake" },
  });
  const path = `${shop.ledger}/vendorme-tab/${id}`;
  return { path, url: (await shop.done("GET", path)).vendorme_tab_share_url };
}

it.each(VIEWS)("lets a stranger pay at once (%o)", async (view) => {
  const { path, url } = await openTab();
  const { context, page } = await visit(browser, view);
  await page.goto(url);
  await expectAccessible(page);
  await expectNoSideScroll(page);
  await page.getByLabel("Your name").fill("Sam Payer");
  await page.getByLabel("Test money, at once").check();
  await page.getByRole("button", { name: "Pay" }).click();
  await page.getByText("The money has arrived.").waitFor();
  await expectAccessible(page);
  const { result_inquiries } = await shop.done("GET", path);
  expect(result_inquiries).toMatchObject([{ payment: { amount: euros("9.95") } }]);
  await context.close();
});

it.each([
  ["Approve", "You have paid.", 1],
  ["Refuse", "The payment was refused.", 0],
] as const)("goes to the payer's bank and back: %s", async (button, words, count) => {
  const { path, url } = await openTab();
  const { context, page } = await visit(browser, VIEWS[0]);
  await page.goto(url);
  await page.getByLabel("Your name").fill("Sam Payer");
  await page.getByLabel("iDEAL").check();
  await page.getByRole("button", { name: "Pay" }).click();
  await page.getByRole("heading", { name: "Test Bank Amsterdam" }).waitFor();
  await expectAccessible(page);
  await page.getByRole("button", { name: button }).click();
  await page.getByText(words).waitFor();
  await page.getByRole("link", { name: "Back to the shop" }).click();
  await page.getByRole("status").waitFor();
  expect((await shop.done("GET", path)).result_inquiries).toHaveLength(count);
  await context.close();
});

it.each(VIEWS)("plays a till: authorises, settles, and says why it refuses (%o)", async (view) => {
  const { context, page } = await visit(browser, view);
  const [names] = await shop.done("GET", `${shop.user}/card-name`);
  const cardId = await shop.made(`${shop.user}/card-debit`, {
    second_line: "Till",
    name_on_card: names.possible_card_name_array[0],
    type: "MASTERCARD",
    product_type: "MASTERCARD_DEBIT",
    order_status: "VIRTUAL_DELIVERY",
  });
  await page.goto(`${instance.url}/bank/v1/till`);
  await page.getByLabel("Bearer token").fill("first-token-0001");
  await page.getByRole("button", { name: "Show cards" }).click();
  await page.getByLabel("Card", { exact: true }).selectOption(String(cardId));
  await page.getByRole("button", { name: "Authorise" }).click();
  await page.getByText("The card was accepted.").waitFor();
  const settle = page.getByRole("button", { name: /^settle/ });
  await settle.click();
  await page.getByText(/: Settled\./).waitFor();
  await settle.waitFor({ state: "detached" });
  const receipt = page.getByRole("region", { name: "Receipt" });
  for (const text of [/Corner Bakery Utrecht/, /12\.50 EUR/, /Settled/])
    await receipt.getByText(text).waitFor();
  await page.getByLabel("Country").fill("JP");
  await page.getByRole("button", { name: "Authorise" }).click();
  await page.getByText(/: Refused\. The card is not open for JP/).waitFor();
  await receipt.getByText("Refused", { exact: true }).waitFor();
  await page
    .getByRole("button", { name: /^receipt/ })
    .last()
    .click();
  await receipt.getByText("Settled").waitFor();
  await expectAccessible(page);
  await context.close();
});

it.each(VIEWS)("hands waiting money to whoever names an account (%o)", async (view) => {
  const to = { type: "EMAIL", value: "stranger@example.com" };
  const id = await shop.made(`${shop.ledger}/payment`, {
    amount: euros("3.00"),
    counterparty_alias: to,
    description: "A small prize",
    allow_vendorto: true,
  });
  const { vendorto_share_url } = await shop.done("GET", `${shop.ledger}/payment/${id}`);
  const { context, page } = await visit(browser, view);
  await page.goto(vendorto_share_url);
  await expectAccessible(page);
  await page.getByLabel("Your name").fill("A. Stranger");
  await page.getByLabel(/account number/).fill("DE75512108001245126199");
  await page.getByRole("button", { name: "Take the money" }).click();
  await page.getByText("It was claimed").waitFor();
  await context.close();
});
