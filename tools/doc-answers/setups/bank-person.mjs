/** Users of the bank who show a key. What they are shown is recorded. */
import { askerOf } from "./asking.mjs";

export const MOUNT = "/bank/v1";
const AUTHENTICATION = "x-vendor-client-authentication";

/** An account at another bank. */
export const ELSEWHERE = { type: "IBAN", value: "DE75512108001245126199", name: "G. Haus" };
export const euros = (value) => ({ value, currency: "EUR" });

export class Person {
  constructor(url, key, record) {
    this.url = url;
    this.key = key;
    this.ask = askerOf(url, { [AUTHENTICATION]: key });
    this.record = record;
  }
  /** Recorded for the documentation. */
  async shown(method, path, body) {
    const answer = await this.ask(method, MOUNT + path, body);
    const type = answer.headers.get("content-type") ?? "";
    this.record({ method, path: MOUNT + path, ...(body && { body }) }, { ...answer, type }, this.url);
    return answer.body;
  }
  /** A page or an address that needs no key. `form`: its fields. */
  async visited(method, path, form) {
    const answer = await askerOf(this.url, {})(method, MOUNT + path, form && new URLSearchParams(form));
    const type = answer.headers.get("content-type") ?? "";
    const location = answer.headers.get("location") ?? undefined;
    this.record({ method, path: MOUNT + path, body: form }, { ...answer, type, location }, this.url);
    return { ...answer, location };
  }
  async making(path, body) {
    const { id, Id } = await this.shown("POST", path, body);
    return id ?? Id.id;
  }
  async done(method, path, body) {
    return (await this.ask(method, MOUNT + path, body)).body;
  }
  async made(path, body) {
    const { id, Id } = await this.done("POST", path, body);
    return id ?? Id.id;
  }
  async settle() {
    const [{ id }] = await this.done("GET", "/user");
    this.user = `/user/${id}`;
    const ledgers = await this.done("GET", `${this.user}/monetary-account`);
    const [ledger] = ledgers.sort((a, b) => Number(b.balance?.value ?? 0) - Number(a.balance?.value ?? 0));
    this.ledgerId = ledger.id;
    this.ledger = `${this.user}/monetary-account/${ledger.id}`;
    this.iban = ledger.alias.find(({ type }) => type === "IBAN").value;
    return this;
  }
}
const NAMES = {
  person: { first_name: "Sam", last_name: "Example", public_nick_name: "Sam" },
  company: { name: "Corner Bakery" },
};
export async function newPerson(maker, kind = "person") {
  const { api_key: key } = await maker.done("POST", `/sandbox-user-${kind}`, {});
  const made = await new Person(maker.url, key, maker.record).settle();
  // Users get random names.
  const at = made.user.replace("/user/", `/user-${kind}/`);
  await made.done("PUT", at, NAMES[kind]);
  return made;
}
