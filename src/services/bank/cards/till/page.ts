/**
 * A till for trying cards. It authorises, settles, reverses and refunds through the simulator and shows the
 * results.
 */
import { credentialField, html, nothing, openingButton, pageToken, styleWith, toolPage } from "#kernel/html";
import { ENTRY_MODES } from "../domain/cards.ts";

const STYLE = `
.column>form+form,.column>section{margin-top:1.2rem}
.column>section>h2+*{margin-top:.5rem}
.scroll{overflow-x:auto}
table{width:100%;border-collapse:collapse;font-size:.9375rem}
th,td{padding:.4rem .6rem;text-align:left;vertical-align:top}
thead th{font-size:.8125rem;color:var(--muted);font-weight:600}
tbody tr{border-top:1px solid var(--line)}
#receipt dl{display:grid;grid-template-columns:auto 1fr;gap:.3rem 1rem;margin:.5rem 0}
#receipt dt{color:var(--muted)}
#receipt dd{margin:0;text-align:right}
@media print{body *{visibility:hidden}#receipt,#receipt *{visibility:visible}#receipt{position:absolute;inset:0 auto auto 0}#print{display:none}}
td .actions{gap:.4rem;margin:0}
td .button{padding:.1rem .7rem;min-height:2rem;font-size:.85rem}
@media (max-width:44rem){thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
table,tbody{display:block}
tbody tr{display:grid;grid-template-columns:1fr auto;padding:.6rem 0}
td{padding:.1rem .3rem}}
`;
const field = (id: string, label: string, rest = html``) =>
  html`<div><label for="${id}">${label}</label><input id="${id}" autocomplete="off" spellcheck="false"${rest}></div>`;

/** `CONTACTLESS` as people write it. */
const wordOf = (mode: string): string =>
  `${mode.charAt(0)}${mode.slice(1).toLowerCase().replaceAll("_", " ")}`;

export const renderTillPage = toolPage({
  heading: "Card till",
  script: "bank-till",
  style: styleWith(STYLE),
  foot: "Payments here are like those at a real till: money moves, and notification filters apply.",
  content: html`<form class="card stack" id="opening">${credentialField(pageToken)}
${openingButton("Show cards")}
<p class="muted small" id="state" role="status">Nothing has been asked yet.</p>
<noscript><p>This page needs script. Without it, send POST /_medley/bank/card-transactions.</p></noscript></form>
<form class="card stack" id="using" hidden><div><label for="card">Card</label><select id="card" required></select></div>
<div class="fields two">${field("amount", "Amount", html` inputmode="decimal" value="12.50" required`)}${field("currency", "Currency", html` value="EUR" maxlength="3" required`)}
${field("merchant", "Merchant", html` value="Corner Bakery" maxlength="100" required`)}${field("city", "City", html` value="Utrecht" maxlength="100"`)}
${field("country", "Country", html` value="NL" maxlength="2" required`)}
<div><label for="entry">How</label><select id="entry">${ENTRY_MODES.map((mode) => html`<option value="${mode}"${mode === "CONTACTLESS" ? html` selected` : nothing}>${wordOf(mode)}</option>`)}</select></div>
${field("pin", "Pin, where one is typed in", html` inputmode="numeric" maxlength="10"`)}${field("cvc2", "Three digits, on the web", html` inputmode="numeric" maxlength="10"`)}</div>
<label class="choice"><input type="checkbox" id="challenge"> <span>Ask the holder of the card first (on the web)</span></label>
<div class="actions end"><button class="button">Authorise</button></div></form>
<section id="receipt" class="card" hidden aria-labelledby="receipt-heading"><h2 id="receipt-heading">Receipt</h2><dl id="receipt-lines"></dl>
<div class="actions end"><button class="button quiet" type="button" id="print">Print</button></div></section>
<section id="made" hidden><h2 id="made-heading">Card transactions</h2>
<div class="card scroll" tabindex="0" role="region" aria-labelledby="made-heading"><table><thead><tr><th scope="col">Number</th><th scope="col">Card</th><th scope="col">Merchant</th><th scope="col">Amount</th><th scope="col">Status</th><th scope="col">Decision</th><th scope="col">Next</th></tr></thead>
<tbody id="rows"></tbody></table></div></section>`,
});
