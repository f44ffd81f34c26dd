/** The public page that takes payments for a tab, a fundraiser or a request. */
import { html, type Markup, nothing, type Page, type Part } from "#kernel/html";
import { amountText, pages, problem } from "../../money/index.ts";
import type { Payable } from "../payables.ts";

const WAYS = {
  instant: ["Test money, at once", "Arrives the moment you press the button."],
  ideal: ["iDEAL", "You approve on the page of a test bank."],
  sofort: ["Sofort", "You approve on the page of a test bank."],
  "open-banking": ["Open banking", "You approve on the page of a test bank."],
  transfer: ["Bank transfer", "Arrives with the next clearing, within a quarter of an hour."],
} as const;
export type Way = keyof typeof WAYS;
export const isWay = (name: string): name is Way => name in WAYS;

const way = ([name, [title, hint]]: [string, readonly [string, string]], at: number): Markup =>
  html`<label class="choice"><input type="radio" name="way" value="${name}"${at === 0 ? html` checked` : nothing}>
<span>${title}<br><span class="muted small">${hint}</span></span></label>`;

export type Filled = { readonly attempt: string; readonly message?: string; readonly name?: string };
const amountField = (currency: string): Markup =>
  html`<div><label for="amount">Amount in ${currency}</label><input id="amount" name="amount" inputmode="decimal" autocomplete="off" maxlength="20" required></div>`;
const form = ({ money, ledger }: Payable, { attempt, name = "" }: Filled): Markup =>
  html`<form method="post" class="stack"><input type="hidden" name="attempt" value="${attempt}">
<div><label for="name">Your name</label><input id="name" name="name" autocomplete="name" maxlength="140" required value="${name}"></div>
${money ? nothing : amountField(ledger.currency)}
<fieldset class="ways"><legend>How do you want to pay?</legend>${Object.entries(WAYS).map(way)}</fieldset>
<button class="button wide">Pay</button></form>`;

const about = ({ money, description }: Payable): Markup =>
  html`${money ? html`<p class="sum">${amountText(money.minor, money.currency)} ${money.currency}</p>` : nothing}
<p class="break">${description}</p>`;

export const renderShare = (payable: Payable, filled: Filled): Page =>
  pages.renderSheet({
    status: filled.message === undefined ? 200 : 400,
    title: `Pay ${payable.payee.display_name}`,
    heading: `Pay ${payable.payee.display_name}`,
    content: html`${about(payable)}${problem(filled.message)}${form(payable, filled)}`,
  });

const onward = ({ redirectUrl }: Payable): Part =>
  redirectUrl === undefined
    ? nothing
    : html`<p><a class="button wide" href="${redirectUrl}">Continue</a></p>`;
export const renderEnded = (payable: Payable): Page =>
  pages.renderSheet({
    title: `Pay ${payable.payee.display_name}`,
    heading: "This can no longer be paid",
    content: html`${about(payable)}<p>It was paid, taken back, or its time is over.</p>${onward(payable)}`,
  });

const DONE = {
  paid: ["Thank you", "The money has arrived."],
  coming: ["Thank you", "The money is on its way and arrives with the next clearing."],
  failed: ["Nothing was paid", "Your bank has not paid. You can try again."],
} as const;
export type Done = keyof typeof DONE;
export const isDone = (name: string): name is Done => name in DONE;
export function renderDone(payable: Payable, done: Done): Page {
  const [heading, text] = DONE[done];
  return pages.renderSheet({
    title: heading,
    heading,
    content: html`<p role="status">${text}</p>
<p>To ${payable.payee.display_name}: <span class="break">${payable.description}</span></p>
${done === "failed" ? html`<p><a class="button wide" href="?">Try again</a></p>` : onward(payable)}`,
  });
}
