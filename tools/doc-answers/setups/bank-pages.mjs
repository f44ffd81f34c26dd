/** Pages of the bank on which people without an account pay, approve and claim. */
import { euros, MOUNT } from "./bank-person.mjs";

const pathOf = (url) => new URL(url).pathname.slice(MOUNT.length);

const attemptOn = (page) => /name="attempt" value="([^"]+)"/.exec(page.text)[1];
async function paid(own) {
  const entry = { amount_inquired: euros("2.00"), description: "Tea" };
  const tab = await own.made(`${own.ledger}/vendorme-tab`, { vendorme_tab_entry: entry });
  const { vendorme_tab_share_url: url } = await own.done("GET", `${own.ledger}/vendorme-tab/${tab}`);
  const attempt = attemptOn(await own.visited("GET", pathOf(url)));
  await own.visited("POST", pathOf(url), { attempt, way: "instant", name: "Sam Payer" });
}
async function approved(own) {
  const path = `${own.ledger}/ideal-merchant-transaction`;
  const id = await own.made(path, { amount_requested: euros("20.00"), issuer: "TESTNL2A" });
  const { issuer_authentication_url: url } = await own.done("GET", `${path}/${id}`);
  await own.visited("GET", pathOf(url));
  await own.visited("POST", pathOf(url), { outcome: "SUCCESS", name: "Kim Payer" });
}
async function claimed(own, other) {
  const to = { type: "PHONE_NUMBER", value: "+31600000001" };
  const payment = { amount: euros("7.00"), counterparty_alias: to, description: "Thank you" };
  const id = await own.made(`${own.ledger}/payment`, { ...payment, allow_vendorto: true });
  const { vendorto_share_url: url } = await own.done("GET", `${own.ledger}/payment/${id}`);
  await own.visited("GET", pathOf(url));
  await own.visited("POST", pathOf(url), { name: "Alex Example", iban: other.iban });
}
/** A code that leads to a merchant's transaction, read by a user of the bank. */
async function scanned(own, other) {
  const path = `${other.ledger}/ideal-merchant-transaction`;
  const id = await other.made(path, { amount_requested: euros("3.00"), issuer: "TESTNL2A" });
  const { transaction_identifier: token } = await other.done("GET", `${path}/${id}`);
  await own.shown("POST", `${own.user}/token-qr-request-ideal`, { token });
  const entry = { amount_inquired: euros("2.00"), description: "Tea" };
  const tab = await other.made(`${other.ledger}/vendorme-tab`, { vendorme_tab_entry: entry });
  const { vendorme_tab_share_url: url } = await other.done("GET", `${other.ledger}/vendorme-tab/${tab}`);
  const attempt = attemptOn(await own.ask("GET", MOUNT + pathOf(url)));
  const form = new URLSearchParams({ attempt, way: "sofort", name: "Sam Payer" });
  const { headers } = await own.ask("POST", MOUNT + pathOf(url), form);
  const sofort = headers.get("location").split("/").at(-1);
  await own.shown("POST", `${own.user}/token-qr-request-sofort`, { token: sofort });
}

/** One that fails leaves the others as they are. */
export async function recordPages(own, other) {
  for (const make of [paid, approved, claimed, scanned])
    await make(own, other).catch(({ message }) => console.error(`bank, ${make.name}: ${message}`));
}
