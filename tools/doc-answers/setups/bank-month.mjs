/** What comes with time: invoices of a month, and notifications that nobody took. On a server of its own. */
import { startServer } from "../account.mjs";
import { eventually } from "./asking.mjs";
import { ELSEWHERE, euros, newPerson, Person } from "./bank-person.mjs";

/** Nobody listens there. */
const NOWHERE = "http://127.0.0.1:9/heard";
const RETRY_MS = 60_000;
const ATTEMPTS_MAX = 20;

async function untaken(medley, person) {
  const filters = { notification_filters: [{ category: "MUTATION", notification_target: NOWHERE }] };
  await person.done("POST", `${person.user}/notification-filter-url`, filters);
  const payment = { amount: euros("3.00"), counterparty_alias: ELSEWHERE, description: "Coffee" };
  await person.done("POST", `${person.ledger}/payment`, payment);
  const path = `${person.user}/notification-filter-failure`;
  for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts += 1) {
    const [failed] = await person.done("GET", path);
    if (failed) {
      await person.shown("GET", path);
      await person.shown("POST", path, { notification_filter_failed_ids: String(failed.id) });
      return;
    }
    await medley.clock.advance(RETRY_MS);
  }
  throw new Error("No notification failed.");
}
async function billed(medley, company) {
  const { user, ledger } = company;
  await medley.clock.advance("P32D");
  const find = async () => (await company.shown("GET", `${user}/invoice`))[0];
  const { id } = await eventually(find, "The invoice");
  await company.shown("GET", `${user}/invoice/${id}`);
  await company.shown("GET", `${ledger}/invoice`);
  await company.shown("GET", `${ledger}/invoice/${id}`);
  const readPaper = () => company.shown("GET", `${user}/invoice/${id}/pdf-content`);
  await eventually(() => readPaper().then(() => true), "The PDF");
  const exports = `${user}/invoice/${id}/invoice-export`;
  const one = `${exports}/${await company.making(exports, {})}`;
  const isDone = async () => (await company.shown("GET", one)).status === "COMPLETED";
  await eventually(isDone, "The export");
  await company.shown("PUT", one, {});
  await eventually(isDone, "The export");
  await company.shown("DELETE", one);
}

export async function recordMonth(record) {
  const medley = await startServer({ services: ["bank"] });
  try {
    const [{ apiKeys }] = medley.credentials.accounts;
    const maker = new Person(medley.url, apiKeys[0], record);
    await untaken(medley, await newPerson(maker));
    await billed(medley, await newPerson(maker, "company"));
  } finally {
    await medley.stop();
  }
}
