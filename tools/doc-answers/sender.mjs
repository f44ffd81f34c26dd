/** Sends requests with the credential that a service takes. */
import { Sha256 } from "@aws-crypto/sha256-js";
import { HttpRequest } from "@smithy/protocol-http";
import { SignatureV4 } from "@smithy/signature-v4";
import sharp from "sharp";
import { drawPortrait, PORTRAITS } from "../../dist/services/face/domain/portraits.js";

const ANSWER_MS_MAX = 8000;
const REGION = "us-east-1";
/** Quotas of a second begin anew. */
const QUOTA_MS = 1100;
/** For operations that take bytes. */
const [portrait] = PORTRAITS.values();
const PICTURE = sharp(Buffer.from(drawPortrait(portrait)))
  .png()
  .toBuffer();

export class Sender {
  constructor(medley) {
    this.url = medley.url;
    [this.account] = medley.credentials.accounts;
  }
  async admin(method, path, body) {
    const headers = { authorization: `Bearer ${this.account.tokens[0]}`, "content-type": "application/json" };
    return this.#read(await fetch(this.url + path, { method, headers, body: JSON.stringify(body) }));
  }
  async send({ protocol, name }, { bodyKinds = ["json"] }, { method, path, headers: given, body }) {
    const isForm = body !== undefined && !bodyKinds.includes("json") && bodyKinds.includes("form");
    const isPicture =
      method !== "GET" &&
      (/^(?:binary|stream)$/.test(bodyKinds[0]) || (bodyKinds.includes("binary") && body?.url));
    const isFile = body instanceof FormData;
    const text = isFile
      ? body
      : isPicture
        ? await PICTURE
        : body === undefined
          ? undefined
          : isForm
            ? new URLSearchParams(body).toString()
            : JSON.stringify(body);
    const type = isPicture
      ? name === "face"
        ? "application/octet-stream"
        : "image/png"
      : isForm
        ? "application/x-www-form-urlencoded"
        : "application/json";
    const headers = {
      accept: "application/json, */*;q=0.5",
      ...given,
      ...(text !== undefined && !isFile && { "content-type": type }),
    };
    const credential = await this.#credentialFor(protocol, name, { method, path, text, headers });
    const init = { method, headers: { ...headers, ...credential }, body: text, redirect: "manual" };
    // Some answers never end: they follow what happens.
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
    try {
      const ask = async () => ({
        ...(await this.#read(await fetch(this.url + path, { ...init, signal }))),
        isPicture,
      });
      const answer = await ask();
      if (answer.status !== 429) return answer;
      await new Promise((resolve) => setTimeout(resolve, QUOTA_MS));
      return await ask();
    } catch (error) {
      if (signal.aborted) return { status: 0, type: "" };
      throw error;
    }
  }
  async #credentialFor({ security }, name, sent) {
    const { apiKeys, tokens, basic, accessKeys } = this.account;
    if (security?.name === "apiKey") return { [security.scheme.name]: apiKeys[0] };
    if (security?.name === "basic")
      return { authorization: `Basic ${btoa(`${basic[0].username}:${basic[0].password}`)}` };
    if (security?.name !== "sigv4") return { authorization: `Bearer ${tokens[0]}` };
    const url = new URL(this.url + sent.path);
    const service = /signed for ([\w-]+)/.exec(security.scheme.description)?.[1] ?? name;
    const credentials = { accessKeyId: accessKeys[0].id, secretAccessKey: accessKeys[0].secret };
    const signer = new SignatureV4({ service, region: REGION, sha256: Sha256, credentials });
    const { host: _host, ...signed } = (
      await signer.sign(
        new HttpRequest({
          method: sent.method,
          protocol: url.protocol,
          hostname: url.hostname,
          port: Number(url.port),
          path: url.pathname,
          query: Object.fromEntries(url.searchParams),
          headers: { ...sent.headers, host: url.host },
          body: sent.text,
        }),
      )
    ).headers;
    return signed;
  }
  async #read(response) {
    const type = response.headers.get("content-type") ?? "";
    const text = /json|text|xml/.test(type) ? await response.text() : undefined;
    await response.body?.cancel().catch(() => {});
    const isJson = type.includes("json") && text;
    const addresses = ["location", "azure-asyncoperation", "operation-location"].flatMap(
      (name) => response.headers.get(name) ?? [],
    );
    return { status: response.status, type, text, addresses, body: isJson ? JSON.parse(text) : undefined };
  }
}
