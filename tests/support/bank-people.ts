/** People of the bank with their first accounts, and short ways to ask and to look. */
import { expect } from "vitest";
import { BankCaller } from "./bank.ts";
import type { Instance, Sent } from "./medley.ts";

/** A caller with an account and its number. */
export class BankPerson extends BankCaller {
  ledgerId = 0;
  iban = "";
  secret = "";
  get ledger(): string {
    return `/user/${this.userId}/monetary-account/${this.ledgerId}`;
  }
  get user(): string {
    return `/user/${this.userId}`;
  }
  /** From now on by the key itself: without signatures, and for ever. */
  useKey(): void {
    this.session = this.secret;
    this.signs = false;
  }
  /** Asks, expects success, and answers what came back. */
  async done(method: string, path: string, body?: unknown): Promise<any> {
    const answer = await this.send(method, path, { ...(body !== undefined && { body }) });
    expect([answer.status, answer.status === 200 ? "" : answer.text]).toEqual([200, ""]);
    return answer.body;
  }
  /** Asks, expects a refusal, and answers its words. */
  async refused(method: string, path: string, body?: unknown, status = 400): Promise<string> {
    const answer: Sent = await this.send(method, path, { ...(body !== undefined && { body }) });
    expect([answer.status, answer.status === status ? "" : answer.text]).toEqual([status, ""]);
    return answer.body.Error[0].error_description;
  }
  /** The number of a new card, of this shape unless another is given. */
  async orderedCard(more: object = {}): Promise<number> {
    const [{ possible_card_name_array: names }] = await this.done("GET", `${this.user}/card-name`);
    return this.made(`${this.user}/card-debit`, {
      second_line: "",
      name_on_card: names[0],
      type: "MASTERCARD",
      product_type: "MASTERCARD_DEBIT",
      ...more,
    });
  }
  /** The number of what was just made. */
  async made(path: string, body: unknown): Promise<number> {
    const answer = await this.done("POST", path, body);
    return answer.id ?? answer.Id.id;
  }
  async balance(ledgerId = this.ledgerId): Promise<string> {
    return (await this.done("GET", `${this.user}/monetary-account/${ledgerId}`)).balance.value;
  }
  async openAccount(currency: string): Promise<{ id: number; iban: string }> {
    const id = await this.made(`${this.user}/monetary-account-bank`, { currency, description: currency });
    const { alias } = await this.done("GET", `${this.user}/monetary-account/${id}`);
    return { id, iban: alias.find(({ type }: { type: string }) => type === "IBAN").value };
  }
}
async function newKey(instance: () => Instance, kind: string): Promise<string> {
  const path = `/bank/v1/sandbox-user-${kind}`;
  const { body } = await instance().apiKey("X-Vendor-Client-Authentication", "POST", path, { body: {} });
  return body.api_key;
}
async function withFirstAccount(person: BankPerson): Promise<BankPerson> {
  const [ledger] = await person.done("GET", `/user/${person.userId}/monetary-account`);
  person.ledgerId = ledger.id;
  person.iban = ledger.alias.find(({ type }: { type: string }) => type === "IBAN").value;
  return person;
}
export async function newPerson(instance: () => Instance, kind = "person"): Promise<BankPerson> {
  const person = new BankPerson(instance);
  person.secret = await newKey(instance, kind);
  return withFirstAccount(await person.enter(person.secret));
}
/** One who shows a key and nothing else: for what is not about sessions and signatures, which take much of a test's time. */
export async function newHolder(instance: () => Instance, kind = "person"): Promise<BankPerson> {
  const person = new BankPerson(instance);
  person.secret = await newKey(instance, kind);
  person.useKey();
  const [user] = await person.done("GET", "/user");
  person.userId = user.id;
  return withFirstAccount(person);
}
export const euros = (value: string) => ({ value, currency: "EUR" });
