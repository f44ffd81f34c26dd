/** The till's script: asks the admin interface. */
import { momentText } from "../texts.ts";
import { wordsOf } from "../words.ts";
import { ask, whenSignedIn } from "./parts/asking.ts";
import { by, element, guarded, inputBy, onSubmit, say, selectBy } from "./parts/page.ts";

type Cell = string | number;
type Row = readonly Cell[];
type Transaction = { readonly id: number; readonly status: string; readonly decisionDescription: string };

const CARDS_SHOWN_MAX = 200;
/** Those of long ago are in the console. */
const TRANSACTIONS_SHOWN_MAX = 20;
const NEXT: Readonly<Record<string, readonly string[]>> = {
  AUTHORISED: ["settle", "reverse"],
  SETTLED: ["refund"],
};

const wordIn = (cell: Cell = ""): string => wordsOf(String(cell));
const textOf = (id: string): string => inputBy(id).value.trim();
async function rowsOf(view: string, limit: number): Promise<readonly Row[]> {
  const path = `/_medley/views/bank?limit=${limit}&view=${encodeURIComponent(view)}`;
  const { views } = await ask<{ views: readonly { rows: readonly Row[] }[] }>("GET", path);
  return views[0]?.rows ?? [];
}

async function use(body: object): Promise<void> {
  const path = "/_medley/bank/card-transactions";
  const { id, status, decisionDescription } = await ask<Transaction>("POST", path, body);
  say(`Number ${id}: ${wordsOf(status)}. ${decisionDescription}`);
  const row = (await show()).find(([one]) => one === id);
  if (row) showReceipt(row);
}
function showReceipt([id, time, Card, Merchant, Amount, status, decision]: Row): void {
  const [Status, Decision, Time] = [wordIn(status), wordIn(decision), momentText(String(time))];
  const lines = Object.entries({ Merchant, Time, Card, Number: id, Amount, Status, Decision });
  const parts = lines.flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, String(text))]);
  by("receipt-lines").replaceChildren(...parts);
  by("receipt").hidden = false;
}
const buttonFor = (action: string, id: Cell, onclick: () => void): HTMLButtonElement =>
  element(
    "button",
    { type: "button", className: "button quiet", ariaLabel: `${action} ${id}`, onclick },
    action,
  );
function rowOf(row: Row) {
  const [id = "", , card = "", merchant = "", amount = "", status = "", decision = ""] = row;
  const cells = [id, card, merchant, amount, wordIn(status), wordIn(decision)].map((cell) =>
    element("td", {}, String(cell)),
  );
  const buttons = (NEXT[status] ?? []).map((action) =>
    buttonFor(action, id, () => guarded(() => use({ action, transactionId: id }))),
  );
  const receipt = buttonFor("receipt", id, () => showReceipt(row));
  const actions = element("div", { className: "actions" }, ...buttons, receipt);
  return element("tr", {}, ...cells, element("td", {}, actions));
}
async function show(): Promise<readonly Row[]> {
  const rows = await rowsOf("Card transactions", TRANSACTIONS_SHOWN_MAX);
  by("rows").replaceChildren(...rows.map(rowOf));
  by("made").hidden = false;
  return rows;
}

function wordsFor(cards: number): string {
  if (cards === 0) return "There is no card yet. The command npx medley seed bank makes some.";
  return cards === 1 ? "One card." : `${cards} cards.`;
}
async function open(): Promise<void> {
  const cards = await rowsOf("Cards", CARDS_SHOWN_MAX);
  const options = cards.map(([id, , name, type, status]) =>
    element("option", { value: String(id) }, `${id} · ${name} · ${wordIn(type)} · ${wordIn(status)}`),
  );
  by("card").replaceChildren(...options);
  by("using").hidden = cards.length === 0;
  say(wordsFor(cards.length));
  await show();
}
const authorise = (): Promise<void> =>
  use({
    cardId: Number(selectBy("card").value),
    amount: { value: textOf("amount").replace(",", "."), currency: textOf("currency").toUpperCase() },
    merchant: { name: textOf("merchant"), city: textOf("city"), country: textOf("country").toUpperCase() },
    entry: selectBy("entry").value,
    ...(textOf("pin") && { pin: textOf("pin") }),
    ...(textOf("cvc2") && { cvc2: textOf("cvc2") }),
    ...(inputBy("challenge").checked && { challenge: true }),
  });

by("print").addEventListener("click", () => print());
onSubmit(by("opening"), () => guarded(open));
onSubmit(by("using"), () => guarded(authorise));
void whenSignedIn(open);
