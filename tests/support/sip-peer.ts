/** A SIP peer for tests: takes any number of calls at once, answers by a script, and listens to the audio. */
import { createHash } from "node:crypto";
import { createSocket, type RemoteInfo, type Socket } from "node:dgram";

export type PeerAnswer =
  | { readonly status: string }
  | { readonly answers: true; readonly ringMs?: number }
  | { readonly rings: true };

export class PeerCall {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** RTP payloads by sequence number. */
  readonly packets = new Map<number, Buffer>();
  readonly media: Socket = createSocket("udp4");
  readonly requests: string[] = [];
  endedBy: "caller" | undefined;
  constructor(id: string, from: string, to: string) {
    this.id = id;
    this.from = from;
    this.to = to;
    this.media.on("message", (bytes) => {
      if (bytes.length > 12 && (bytes.readUInt8(1) & 0x7f) === 0)
        this.packets.set(bytes.readUInt16BE(2), bytes.subarray(12));
    });
  }
  /** What the caller played, mu-law decoded in the order of the sequence numbers. */
  audio(): Int16Array {
    const [first = 0] = this.packets.keys();
    const order = [...this.packets].sort(
      ([a], [b]) => ((a - first + 0x8000) & 0xffff) - ((b - first + 0x8000) & 0xffff),
    );
    return Int16Array.from(Buffer.concat(order.map(([, payload]) => payload)), decodeMuLaw);
  }
}

function decodeMuLaw(byte: number): number {
  const value = ~byte & 0xff;
  const magnitude = ((((value & 0x0f) << 3) + 0x84) << ((value >> 4) & 7)) - 0x84;
  return value & 0x80 ? -magnitude : magnitude;
}

const header = (text: string, name: string): string =>
  new RegExp(`^${name}: (.*)\r$`, "im").exec(text)?.[1] ?? "";
const userOf = (address: string): string => /sips?:([^@>]+)@/.exec(address)?.[1] ?? "";

export class SipPeer {
  readonly calls = new Map<string, PeerCall>();
  readonly #socket = createSocket("udp4");
  readonly #script: (call: PeerCall) => PeerAnswer;
  /** When given, calls without these credentials are challenged. */
  readonly #credentials: { username: string; password: string } | undefined;

  constructor(script: SipPeer["script"], credentials?: { username: string; password: string }) {
    this.#script = script;
    this.#credentials = credentials;
    this.#socket.on("message", (bytes, from) => void this.#receive(bytes.toString(), from));
  }
  get script(): (call: PeerCall) => PeerAnswer {
    return this.#script;
  }
  get port(): number {
    return this.#socket.address().port;
  }
  open(): Promise<void> {
    return new Promise((resolve) => this.#socket.bind(0, "127.0.0.1", resolve));
  }
  async close(): Promise<void> {
    for (const { media } of this.calls.values()) media.close();
    await new Promise<void>((resolve) => this.#socket.close(() => resolve()));
  }
  callsTo(number: string): PeerCall[] {
    return [...this.calls.values()].filter(({ to }) => to === number);
  }

  async #receive(text: string, from: RemoteInfo): Promise<void> {
    const [method = ""] = text.split(" ");
    const id = header(text, "Call-ID");
    let call = this.calls.get(id);
    call?.requests.push(text);
    if (method === "INVITE" && !this.#isWelcome(text)) {
      const challenge = 'WWW-Authenticate: Digest realm="peer", nonce="n0nce", algorithm=MD5';
      return this.#reply(text, "401 Unauthorized", from, [challenge]);
    }
    if (method === "INVITE" && !call) {
      call = new PeerCall(id, userOf(header(text, "From")), userOf(header(text, "To")));
      call.requests.push(text);
      this.calls.set(id, call);
      await new Promise<void>((resolve) => call?.media.bind(0, "127.0.0.1", resolve));
      return this.#answer(text, call, from);
    }
    if (method === "BYE" && call) call.endedBy = "caller";
    if (method === "CANCEL" && call) this.#reply(call.requests[0] ?? "", "487 Request Terminated", from);
    if (method === "BYE" || method === "CANCEL") this.#reply(text, "200 OK", from);
  }
  #isWelcome(invite: string): boolean {
    if (!this.#credentials) return true;
    const given = header(invite, "Authorization");
    const field = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(given)?.[1] ?? "";
    const md5 = (text: string) => createHash("md5").update(text).digest("hex");
    const { username, password } = this.#credentials;
    const wanted = md5(`${md5(`${username}:peer:${password}`)}:n0nce:${md5(`INVITE:${field("uri")}`)}`);
    return field("response") === wanted;
  }
  async #answer(invite: string, call: PeerCall, from: RemoteInfo): Promise<void> {
    const answer = this.#script(call);
    this.#reply(invite, "100 Trying", from);
    if ("status" in answer) return this.#reply(invite, answer.status, from);
    this.#reply(invite, "180 Ringing", from);
    if ("rings" in answer) return;
    await new Promise((resolve) => setTimeout(resolve, answer.ringMs ?? 50));
    const sdp = `v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio ${call.media.address().port} RTP/AVP 0\r\n`;
    const extra = [`Contact: <sip:callee@127.0.0.1:${this.port}>`, "Content-Type: application/sdp"];
    this.#reply(invite, "200 OK", from, extra, sdp);
  }
  #reply(request: string, status: string, { address, port }: RemoteInfo, extra: string[] = [], body = "") {
    const copied = ["Via", "From", "Call-ID", "CSeq"].map((name) => `${name}: ${header(request, name)}`);
    const to = header(request, "To");
    const lines = [
      `SIP/2.0 ${status}`,
      ...copied,
      `To: ${to.includes("tag=") ? to : `${to};tag=peer`}`,
      ...extra,
      `Content-Length: ${body.length}`,
      "",
      body,
    ];
    this.#socket.send(lines.join("\r\n"), port, address);
  }
}
