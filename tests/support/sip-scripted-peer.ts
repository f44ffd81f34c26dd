/** A SIP peer for one call that answers by a script, and calls placed to it. */
import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { afterEach } from "vitest";
import { type CallEvent, type CallRequest, placeCall } from "../../src/services/voice/sip/index.ts";
import { decodeMuLaw } from "../../src/services/voice/sip/mu-law.ts";
import { parseRtp, type RtpPacket } from "../../src/services/voice/sip/rtp.ts";

interface ReceivedRtp extends RtpPacket {
  atMs: number;
}

type Script = (peer: Peer, method: string, text: string, from: RemoteInfo) => void;

/** Knows nothing of the code under test: messages are taken apart and written by hand. */
class Peer {
  readonly requests: string[] = [];
  readonly packets: ReceivedRtp[] = [];
  readonly signalling: Socket = createSocket("udp4");
  readonly media: Socket = createSocket("udp4");
  caller: RemoteInfo | undefined;
  invite = "";
  #script: Script;

  constructor(script: Script) {
    this.#script = script;
    this.media.on("message", (bytes) => {
      const packet = parseRtp(bytes);
      if (packet !== undefined) this.packets.push({ ...packet, atMs: performance.now() });
    });
    this.signalling.on("message", (bytes, from) => {
      const text = bytes.toString();
      const method = text.split(" ")[0] ?? "";
      this.requests.push(text);
      this.caller = from;
      if (method === "INVITE") this.invite = text;
      this.#script(this, method, text, from);
    });
  }

  async open(): Promise<void> {
    await Promise.all(
      [this.signalling, this.media].map(
        (socket) => new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve)),
      ),
    );
  }

  async close(): Promise<void> {
    await Promise.all(
      [this.signalling, this.media].map(
        (socket) => new Promise<void>((resolve) => socket.close(() => resolve())),
      ),
    );
  }

  get port(): number {
    return this.signalling.address().port;
  }

  get methods(): string[] {
    return this.requests.map((text) => text.split(" ")[0] ?? "");
  }
  /** Without repetitions, which a busy machine may cause at any time. */
  get methodsOnce(): string[] {
    return [...new Set(this.requests)].map((text) => text.split(" ")[0] ?? "");
  }

  reply(request: string, status: string, extra: string[] = [], body = ""): void {
    const copied = ["Via", "From", "Call-ID", "CSeq"].map((name) => `${name}: ${header(request, name)}`);
    const to = header(request, "To");
    const tagged = to.includes("tag=") || status.startsWith("100") ? to : `${to};tag=peer`;
    const lines = [
      `SIP/2.0 ${status}`,
      ...copied,
      `To: ${tagged}`,
      ...extra,
      `Content-Length: ${body.length}`,
      "",
      body,
    ];
    this.send(lines.join("\r\n"));
  }

  accept(request: string, sdp = this.answer()): void {
    const contact = `Contact: <sip:callee@127.0.0.1:${this.port}>`;
    this.reply(request, "200 OK", [contact, "Content-Type: application/sdp"], sdp);
  }

  answer(): string {
    const port = this.media.address().port;
    return [
      "v=0",
      "o=- 1 1 IN IP4 127.0.0.1",
      "s=-",
      "c=IN IP4 127.0.0.1",
      "t=0 0",
      `m=audio ${port} RTP/AVP 0 8`,
      "",
    ].join("\r\n");
  }

  request(method: string, changes: { toTag?: string } = {}): void {
    const from = header(this.invite, "From");
    const own = `${header(this.invite, "To")};tag=peer`;
    const other = changes.toTag === undefined ? from : from.replace(/tag=\w+/, `tag=${changes.toTag}`);
    this.send(
      [
        `${method} sip:caller@127.0.0.1 SIP/2.0`,
        `Via: SIP/2.0/UDP 127.0.0.1:${this.port};branch=z9hG4bKpeer${method}`,
        `From: ${own}`,
        `To: ${other}`,
        `Call-ID: ${header(this.invite, "Call-ID")}`,
        `CSeq: 1 ${method}`,
        "Content-Length: 0",
        "",
        "",
      ].join("\r\n"),
    );
  }

  send(text: string | Buffer): void {
    if (this.caller !== undefined) this.signalling.send(text, this.caller.port, this.caller.address);
  }

  audio(): Int16Array {
    const ordered = this.packets.toSorted((a, b) => ((a.sequence - b.sequence + 0x8000) & 0xffff) - 0x8000);
    return decodeMuLaw(Buffer.concat(ordered.map((packet) => packet.payload)));
  }
}

export function header(text: string, name: string): string {
  return new RegExp(`^${name}: (.*)\r$`, "im").exec(text)?.[1] ?? "";
}

/** Answers at once, and agrees to whatever else is asked. */
export const friendly: Script = (peer, method, text) => {
  if (method === "INVITE") {
    peer.reply(text, "100 Trying");
    peer.reply(text, "180 Ringing");
    peer.accept(text);
  } else if (method !== "ACK") peer.reply(text, "200 OK");
};

export const refusing =
  (status: string, extra: string[] = []): Script =>
  (peer, method, text) => {
    if (method === "INVITE") peer.reply(text, status, extra);
  };

const peers: Peer[] = [];
afterEach(async () => {
  await Promise.all(peers.splice(0).map((peer) => peer.close()));
});

export async function openPeer(script: Script): Promise<Peer> {
  const peer = new Peer(script);
  await peer.open();
  peers.push(peer);
  return peer;
}

/** A sweep: each packet sounds different, so that a lost or swapped one shows. */
export function sweep(durationMs: number): Int16Array {
  return Int16Array.from({ length: durationMs * 8 }, (_, index) =>
    Math.round(12_000 * Math.sin(index * (0.02 + index / 40_000))),
  );
}

export async function call(peer: Peer, changes: Partial<CallRequest> = {}) {
  const events: CallEvent[] = [];
  const outcome = await placeCall({
    peer: { host: "127.0.0.1", port: peer.port },
    from: "+12065550100",
    to: "+12065550199",
    audio: sweep(200),
    ringTimeoutMs: 5000,
    timings: { t1Ms: 50, tailMs: 50 },
    onEvent: (event) => events.push(event),
    ...changes,
  });
  return { outcome, events: events.map((event) => event.type) };
}
