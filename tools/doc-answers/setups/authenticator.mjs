/** A device with a passkey: a key pair for one site, whose owner is always recognised (WebAuthn, without attestation). */
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

const RECOGNISED = 0x05;
const WITH_KEY = 0x40;
const [BYTES, TEXT, MAP] = [0x40, 0x60, 0xa0];
const [SHORT_MAX, BYTE_MAX] = [23, 255];
const sha256 = (data) => createHash("sha256").update(data).digest();
/** Readers expect the shortest spelling. */
function head(kind, length) {
  if (length <= SHORT_MAX) return Buffer.from([kind | length]);
  if (length <= BYTE_MAX) return Buffer.from([kind | 24, length]);
  return Buffer.from([kind | 25, length >> 8, length & BYTE_MAX]);
}
const bytes = (data) => Buffer.concat([head(BYTES, data.length), data]);
const text = (value) => Buffer.concat([head(TEXT, value.length), Buffer.from(value)]);
/** Entries are encoded already. */
const map = (...entries) => Buffer.concat([head(MAP, entries.length), ...entries.flat()]);

export class Authenticator {
  #id = randomBytes(32);
  #keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  #uses = 0;
  constructor(origin) {
    this.origin = origin;
  }
  #data(flags) {
    this.#uses += 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.#uses);
    return Buffer.concat([sha256(new URL(this.origin).hostname), Buffer.from([flags]), counter]);
  }
  #client(type, { challenge }) {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }));
  }
  #answer(response) {
    const id = this.#id.toString("base64url");
    const spelled = Object.entries(response).map(([name, data]) => [name, data.toString("base64url")]);
    return JSON.stringify({
      id,
      rawId: id,
      type: "public-key",
      clientExtensionResults: {},
      response: Object.fromEntries(spelled),
    });
  }
  /** The answer to the options of a new passkey. */
  create(options) {
    const { x, y } = this.#keys.publicKey.export({ format: "jwk" });
    const coordinates = [x, y].map((one) => bytes(Buffer.from(one, "base64url")));
    // Kind of key: 2; algorithm: ES256; curve: P-256.
    const key = map(
      [Buffer.from([0x01, 0x02])],
      [Buffer.from([0x03, 0x26])],
      [Buffer.from([0x20, 0x01])],
      [Buffer.from([0x21]), coordinates[0]],
      [Buffer.from([0x22]), coordinates[1]],
    );
    const length = Buffer.from([0, this.#id.length]);
    const data = Buffer.concat([this.#data(RECOGNISED | WITH_KEY), Buffer.alloc(16), length, this.#id, key]);
    const attestationObject = map(
      [text("fmt"), text("none")],
      [text("attStmt"), map()],
      [text("authData"), bytes(data)],
    );
    return this.#answer({ clientDataJSON: this.#client("webauthn.create", options), attestationObject });
  }
  /** The answer to the options of a sign-in. */
  prove(options) {
    const authenticatorData = this.#data(RECOGNISED);
    const clientDataJSON = this.#client("webauthn.get", options);
    const signed = Buffer.concat([authenticatorData, sha256(clientDataJSON)]);
    const signature = sign("sha256", signed, this.#keys.privateKey);
    return this.#answer({ clientDataJSON, authenticatorData, signature });
  }
}
