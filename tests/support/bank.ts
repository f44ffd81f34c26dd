/** A caller of the bank who does as the public clients do: an installation with a key, a device, a session. */
import { createSign, generateKeyPairSync, type KeyObject, verify } from "node:crypto";
import type { Instance, Sent } from "./medley.ts";

/** Making a key takes long; tests may share one. */
const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
export const PUBLIC_PEM = publicKey.export({ type: "spki", format: "pem" }).toString();
export const PRIVATE_PEM = privateKey.export({ type: "pkcs8", format: "pem" }).toString();

const signed = (body: string, key: KeyObject): string =>
  createSign("sha256").update(body).sign(key).toString("base64");

export type BankCall = {
  readonly body?: unknown;
  readonly token?: string | undefined;
  readonly headers?: Record<string, string>;
  readonly isSigned?: boolean;
};

export class BankCaller {
  readonly #instance: () => Instance;
  readonly #makers: boolean;
  installation = "";
  serverKey = "";
  session = "";
  userId = 0;
  /** Signatures take most of the time of a test that asks for much: a key shown by itself needs none. */
  signs = true;
  constructor(instance: () => Instance, { makers = false } = {}) {
    this.#instance = instance;
    this.#makers = makers;
  }
  get #prefix(): string {
    return this.#makers ? "X-Bunq" : "X-Vendor";
  }

  send(method: string, path: string, call: BankCall = {}): Promise<Sent> {
    const { body, token = this.session, headers = {}, isSigned = this.signs } = call;
    const text = body === undefined ? "" : JSON.stringify(body);
    return this.#instance().send(method, `/bank/v1${path}`, {
      ...(body !== undefined && { body: text }),
      headers: {
        ...(body !== undefined && { "content-type": "application/json" }),
        [`${this.#prefix}-Language`]: "en_US",
        ...(token !== "" && { [`${this.#prefix}-Client-Authentication`]: token }),
        ...(isSigned && { [`${this.#prefix}-Client-Signature`]: signed(text, privateKey) }),
        ...headers,
      },
    });
  }
  /** What is in an answer, whichever envelope it came in. */
  parts(answer: Sent): Record<string, any> {
    return this.#makers ? Object.assign({}, ...answer.body.Response) : answer.body;
  }
  async install(): Promise<Sent> {
    const answer = await this.send("POST", "/installation", {
      body: { client_public_key: PUBLIC_PEM },
      token: "",
      isSigned: false,
    });
    const { Token, ServerPublicKey } = this.parts(answer);
    this.installation = Token.token;
    this.serverKey = ServerPublicKey.server_public_key;
    return answer;
  }
  register(secret: string, permittedIps: readonly string[] = ["*"]): Promise<Sent> {
    const body = { description: "a test", secret, permitted_ips: permittedIps };
    return this.send("POST", "/device-server", { body, token: this.installation });
  }
  async open(secret: string): Promise<Sent> {
    const answer = await this.send("POST", "/session-server", { body: { secret }, token: this.installation });
    const { Token, UserPerson, UserCompany } = this.parts(answer);
    this.session = Token?.token ?? "";
    this.userId = (UserPerson ?? UserCompany)?.id ?? 0;
    return answer;
  }
  async enter(secret: string): Promise<this> {
    await this.install();
    await this.register(secret);
    await this.open(secret);
    return this;
  }
  isSignedByBank({ headers, bytes }: Sent): boolean {
    const signature = headers.get(`${this.#prefix}-Server-Signature`);
    return signature !== null && verify("sha256", bytes, this.serverKey, Buffer.from(signature, "base64"));
  }
}
