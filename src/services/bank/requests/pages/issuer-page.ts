/** The page of a payer's bank, which this bank plays: the payment succeeds, fails or is cancelled there. */
import { html, nothing, type Page } from "#kernel/html";
import { amountText, type Money, pages } from "../../money/index.ts";

export type IssuerTransaction = {
  readonly bank: string;
  readonly payee: string;
  readonly money: Money;
  readonly description: string;
  readonly isOpen: boolean;
  readonly status: string;
  /** Where the payer came from. */
  readonly back?: string | undefined;
};
const OUTCOMES = {
  SUCCESS: ["Approve", "button wide"],
  FAILURE: ["Refuse", "button wide danger"],
  CANCELLED: ["Cancel", "button wide quiet"],
} as const;
export type ChosenOutcome = keyof typeof OUTCOMES;
export const isOutcome = (name: string): name is ChosenOutcome => name in OUTCOMES;

const choices = html`<form method="post" class="stack">
<div><label for="name">Owner of the account</label><input id="name" name="name" autocomplete="name" maxlength="140" value="A. Payer" required></div>
${Object.entries(OUTCOMES).map(
  ([outcome, [text, look]]) =>
    html`<button class="${look}" name="outcome" value="${outcome}">${text}</button>`,
)}</form>`;
const ENDINGS: Readonly<Record<string, string>> = {
  SUCCESS: "You have paid.",
  ACCEPTED: "You have paid.",
  FAILURE: "The payment was refused.",
  REJECTED: "The payment was refused.",
  CANCELLED: "The payment was cancelled.",
  EXPIRED: "The time for this payment is over.",
};
export function renderIssuer(transaction: IssuerTransaction): Page {
  const { bank, payee, money, description, isOpen, status, back } = transaction;
  return pages.renderSheet({
    title: bank,
    heading: bank,
    content: html`<p class="sum">${amountText(money.minor, money.currency)} ${money.currency}</p>
<p>To ${payee}<br><span class="muted break">${description}</span></p>
${isOpen ? choices : html`<p role="status">${ENDINGS[status] ?? status}</p>`}
${isOpen || back === undefined ? nothing : html`<p><a class="button wide" href="${back}">Back to the shop</a></p>`}`,
  });
}
