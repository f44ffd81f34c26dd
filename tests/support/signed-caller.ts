import type { Instance, SendOptions } from "./medley.ts";

/** Signed requests of one account in one region. */
export class SignedCaller {
  readonly instance: () => Instance;
  readonly region: string;
  readonly as: SendOptions["as"];
  readonly #service: string;
  constructor(service: string, instance: () => Instance, region: string, as: SendOptions["as"]) {
    this.#service = service;
    this.instance = instance;
    this.region = region;
    this.as = as;
  }
  send(method: string, path: string, body?: unknown) {
    const options = { body, as: this.as };
    return this.instance().signed(this.#service, method, `/${this.#service}${path}`, options, this.region);
  }
}
