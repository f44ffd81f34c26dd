/** Everything that would leave the machine: stored to be read, and delivered if requested. */
import type { SecretBox } from "../auth/secrets.ts";
import type { Scope } from "../runtime/scope.ts";
import type { OutboxRow } from "../runtime/tables.ts";
import { delivery } from "./delivery.ts";

/** An HTTP delivery: retried with backoff, signed when a secret is given. */
export type HttpDelivery = {
  readonly method?: string;
  readonly attemptsMax?: number;
  /** Adds `webhook-id`, `webhook-timestamp` and `webhook-signature` (HMAC-SHA256). */
  readonly secret?: string;
};
export type Outgoing = {
  /** `webhook`, `mail`, `call`, `queue`, `topic`, `stream`, `log`, … */
  readonly kind: string;
  /** An address, number, queue or URL. */
  readonly target: string;
  readonly subject?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** A blob of the same service and account that belongs to it. */
  readonly blobId?: string;
  /** Absent: it is only stored here. */
  readonly deliver?: HttpDelivery;
};

/** What listeners get. */
export type SentMessage = {
  readonly id: string;
  readonly kind: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly atMs: number;
};

type OutboxScope = Scope & { readonly secrets: SecretBox };

export class Outbox {
  readonly #scope: OutboxScope;
  readonly #announce: ((message: SentMessage) => Promise<void>) | undefined;
  constructor(scope: OutboxScope, announce?: (message: SentMessage) => Promise<void>) {
    this.#scope = scope;
    this.#announce = announce;
  }
  /** Joins the caller's transaction. Returns the id of the message. */
  async send(message: Outgoing): Promise<string> {
    const { account, service, ids, clock, db } = this.#scope;
    const id = ids.next("out");
    const row: OutboxRow = {
      id,
      account,
      service,
      kind: message.kind,
      target: message.target,
      subject: message.subject ?? null,
      headers: JSON.stringify(message.headers ?? {}),
      body: typeof message.body === "string" ? message.body : JSON.stringify(message.body ?? null),
      blob_id: message.blobId ?? null,
      delivery: message.deliver ? this.#deliveryOf(message.deliver) : null,
      state: message.deliver ? "waiting" : "recorded",
      attempts: 0,
      answer_status: null,
      error: null,
      created_at: clock.nowMs(),
      delivered_at: null,
      acknowledged_at: null,
      deliveries: null,
    };
    await db.insertInto("medley_outbox").values(row).execute();
    this.#scope.note?.({ kind: "message", id, name: `${message.kind} to ${message.target}` });
    if (message.deliver) await this.#scope.enqueue(delivery, { outboxId: id });
    const { kind, target, body, created_at: atMs } = row;
    await this.#announce?.({ id, kind, target, headers: message.headers ?? {}, body, atMs });
    return id;
  }
  #deliveryOf({ secret, ...delivery }: HttpDelivery): string {
    const sealed = secret === undefined ? {} : { secret: this.#scope.secrets.seal(secret) };
    return JSON.stringify({ ...delivery, ...sealed });
  }
}
