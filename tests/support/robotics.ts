/** Asking the robotics service over HTTP as its clients do. */
import { expect } from "vitest";
import { type AccountName, accounts, type Instance, type Sent } from "./medley.ts";

export type Asking = {
  readonly as?: AccountName | null;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
};

export function basicOf(as: AccountName): string {
  const [{ username, password }] = accounts[as].basic as [{ username: string; password: string }];
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

export class Robotics {
  readonly #instance: () => Instance;
  constructor(instance: () => Instance) {
    this.#instance = instance;
  }
  send(method: string, path: string, { as = "first", headers = {}, body }: Asking = {}): Promise<Sent> {
    return this.#instance().send(method, `/robotics/v3.0${path}`, {
      body,
      headers: { ...(as && { authorization: basicOf(as) }), ...headers },
    });
  }
  get(path: string, asking: Asking = {}): Promise<Sent> {
    return this.send("GET", path, asking);
  }
  async put(path: string, body: object, asking: Asking = {}): Promise<void> {
    const sent = await this.send("PUT", path, { ...asking, body });
    expect([path, sent.status, sent.text]).toEqual([path, 204, ""]);
  }
  async seed(account = accounts.first.id): Promise<void> {
    const sent = await this.#instance().bearer("POST", "/_medley/seed", {
      body: { services: ["robotics"], account },
    });
    expect(sent.status, sent.text).toBe(200);
  }
  import(lines: readonly object[], asking: Asking = {}): Promise<Sent> {
    return this.send("POST", "/import", {
      ...asking,
      body: lines.map((line) => JSON.stringify(line)).join("\n"),
    });
  }
}

/** Six numbers on their stations. */
export const seated = (numbers: readonly number[]) =>
  numbers.map((teamNumber, at) => ({ teamNumber, station: `${at < 3 ? "Red" : "Blue"}${(at % 3) + 1}` }));
