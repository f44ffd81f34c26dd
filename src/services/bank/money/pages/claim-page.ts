/** The page on which a person without an account chooses where waiting money goes. */
import { html, type Markup, type Page } from "#kernel/html";
import { amountText } from "../domain/money.ts";
import type { Unclaimed } from "../waiting.ts";
import { pages, problem } from "./site.ts";

type Claimed = { readonly message?: string; readonly name?: string; readonly iban?: string };
const form = ({ name = "", iban = "" }: Claimed): Markup =>
  html`<form method="post" class="stack">
<div><label for="name">Your name</label><input id="name" name="name" autocomplete="name" maxlength="140" required value="${name}"></div>
<div><label for="iban">Your account number (IBAN)</label><input id="iban" name="iban" autocomplete="off" maxlength="60" required value="${iban}"></div>
<button class="button wide">Take the money</button></form>`;
const ENDED: Readonly<Record<string, string>> = {
  ACCEPTED: "It was claimed: the money is on the account that was named.",
  EXPIRED: "Nobody claimed it in time, so it went back.",
};

export function renderClaim({ record, payment, money, payer }: Unclaimed, claimed: Claimed = {}): Page {
  const isOpen = record.status === "PENDING";
  return pages.renderSheet({
    status: claimed.message === undefined ? 200 : 400,
    title: `Money from ${payer}`,
    heading: `Money from ${payer}`,
    content: html`<p class="sum">${amountText(money.minor, money.currency)} ${money.currency}</p>
<p class="break">${payment.description}</p>${problem(claimed.message)}
${isOpen ? form(claimed) : html`<p role="status">${ENDED[record.status] ?? record.status}</p>`}`,
  });
}
