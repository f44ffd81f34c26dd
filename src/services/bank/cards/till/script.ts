/** The till's script: asks the admin interface. */
import { askingScript, pageToken } from "#kernel/html";

const CARDS_SHOWN_MAX = 200;
/** Those of long ago are in the console. */
const TRANSACTIONS_SHOWN_MAX = 20;

export const SCRIPT = askingScript(
  pageToken,
  `  const textOf = (id) => by(id).value.trim();
  const rowsOf = async (view, limit) => (await ask("GET", "/_medley/views/bank?limit=" + limit + "&view=" + encodeURIComponent(view))).views[0].rows;

  const NEXT = { AUTHORISED: ["settle", "reverse"], SETTLED: ["refund"] };
  const use = async (body) => {
    const { id, status, decisionDescription } = await ask("POST", "/_medley/bank/card-transactions", body);
    say("Number " + id + " is " + status + ". " + decisionDescription);
    const row = (await show()).find(([one]) => one === id);
    if (row) showReceipt(row);
  };
  const showReceipt = ([id, time, card, merchant, amount, status, decision]) => {
    const lines = { Merchant: merchant, Time: time, Card: card, Number: id, Amount: amount, Status: status, Decision: decision };
    by("receipt-lines").replaceChildren(...Object.entries(lines).flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, String(text))]));
    by("receipt").hidden = false;
  };
  const rowOf = (row) => {
    const [id, , card, merchant, amount, status, decision] = row;
    return element("tr", {},
    ...[id, card, merchant, amount, status, decision].map((cell) => element("td", {}, String(cell))),
    element("td", {}, element("div", { className: "actions" }, ...(NEXT[status] || []).map((action) =>
      element("button", { type: "button", className: "button quiet", ariaLabel: action + " " + id, onclick: () => guarded(() => use({ action, transactionId: id })) }, action)),
      element("button", { type: "button", className: "button quiet", ariaLabel: "receipt " + id, onclick: () => showReceipt(row) }, "receipt"))));
  };
  const show = async () => {
    const rows = await rowsOf("Card transactions", ${TRANSACTIONS_SHOWN_MAX});
    by("rows").replaceChildren(...rows.map(rowOf));
    by("made").hidden = false;
    return rows;
  };
  const open = async () => {
    const cards = await rowsOf("Cards", ${CARDS_SHOWN_MAX});
    by("card").replaceChildren(...cards.map(([id, , name, type, status]) => element("option", { value: id }, id + " · " + name + " · " + type + " · " + status)));
    by("using").hidden = cards.length === 0;
    say(cards.length === 0 ? "There is no card yet: a user orders one." : cards.length === 1 ? "One card." : cards.length + " cards.");
    await show();
  };
  const authorise = () => use({
    cardId: Number(by("card").value),
    amount: { value: textOf("amount").replace(",", "."), currency: textOf("currency").toUpperCase() },
    merchant: { name: textOf("merchant"), city: textOf("city"), country: textOf("country").toUpperCase() },
    entry: by("entry").value,
    ...(textOf("pin") && { pin: textOf("pin") }),
    ...(textOf("cvc2") && { cvc2: textOf("cvc2") }),
    ...(by("challenge").checked && { challenge: true }),
  });
  const onSubmit = (id, work) => by(id).addEventListener("submit", (event) => { event.preventDefault(); guarded(work); });
  by("print").addEventListener("click", () => print());
  onSubmit("opening", open);
  onSubmit("using", authorise);
  whenSignedIn(open);
`,
);
