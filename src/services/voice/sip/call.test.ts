/** Calls placed to a small peer over real UDP: signalling, credentials, refusals, hanging up, and the audio as it arrives. */
import { createHash } from "node:crypto";
import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { afterEach, describe, expect, it } from "vitest";
import { type CallEvent, type CallRequest, placeCall } from "./index.ts";
import { decodeMuLaw, encodeMuLaw } from "./mu-law.ts";
import { parseRtp, type RtpPacket } from "./rtp.ts";

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

function header(text: string, name: string): string {
  return new RegExp(`^${name}: (.*)\r$`, "im").exec(text)?.[1] ?? "";
}

/** Answers at once, and agrees to whatever else is asked. */
const friendly: Script = (peer, method, text) => {
  if (method === "INVITE") {
    peer.reply(text, "100 Trying");
    peer.reply(text, "180 Ringing");
    peer.accept(text);
  } else if (method !== "ACK") peer.reply(text, "200 OK");
};

const refusing =
  (status: string, extra: string[] = []): Script =>
  (peer, method, text) => {
    if (method === "INVITE") peer.reply(text, status, extra);
  };

const peers: Peer[] = [];
afterEach(async () => {
  await Promise.all(peers.splice(0).map((peer) => peer.close()));
});

async function openPeer(script: Script): Promise<Peer> {
  const peer = new Peer(script);
  await peer.open();
  peers.push(peer);
  return peer;
}

/** A sweep: each packet sounds different, so that a lost or swapped one shows. */
function sweep(durationMs: number): Int16Array {
  return Int16Array.from({ length: durationMs * 8 }, (_, index) =>
    Math.round(12_000 * Math.sin(index * (0.02 + index / 40_000))),
  );
}

async function call(peer: Peer, changes: Partial<CallRequest> = {}) {
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

describe("an answered call", () => {
  it("plays the whole message in real time and hangs up", async () => {
    const peer = await openPeer(friendly);
    const audio = sweep(1010);
    const { outcome, events } = await call(peer, { audio });
    expect(outcome).toMatchObject({
      result: "answered-completed",
      status: 200,
      endedBy: "us",
      playedMs: 1020,
    });
    expect(events).toEqual(["initiated", "ringing", "answered", "ended"]);
    expect(peer.methodsOnce).toEqual(["INVITE", "ACK", "BYE"]);

    expect(peer.packets.length).toBe(51);
    const expected = decodeMuLaw(encodeMuLaw(audio));
    expect(peer.audio().subarray(0, audio.length)).toEqual(expected);
    expect(new Set(peer.audio().subarray(audio.length))).toEqual(new Set([0]));
    const loudestDifference = audio.reduce(
      (most, sample, index) => Math.max(most, Math.abs(sample - expected[index]!)),
      0,
    );
    expect(loudestDifference).toBeLessThan(400);

    const [first, ...rest] = peer.packets;
    expect(first).toMatchObject({ payloadType: 0, isMarked: true });
    expect(rest.every((packet) => !packet.isMarked && packet.source === first!.source)).toBe(true);
    rest.forEach((packet, index) => {
      expect((packet.sequence - first!.sequence) & 0xffff).toBe(index + 1);
      expect((packet.timestamp - first!.timestamp) >>> 0).toBe((index + 1) * 160);
    });
    const tookMs = peer.packets.at(-1)!.atMs - first!.atMs;
    expect(tookMs).toBeGreaterThan(950);
    expect(tookMs).toBeLessThan(2500);
  });

  it("has a well-formed INVITE, ACK and BYE", async () => {
    const peer = await openPeer(friendly);
    await call(peer, { domain: "carrier.example" });
    const [invite = "", ack = "", bye = ""] = peer.requests;
    expect(invite).toMatch(/^INVITE sip:\+12065550199@carrier\.example SIP\/2\.0\r\n/);
    expect(header(invite, "Via")).toMatch(/^SIP\/2\.0\/UDP 127\.0\.0\.1:\d+;branch=z9hG4bK\w+;rport$/);
    expect(header(invite, "From")).toMatch(/^<sip:\+12065550100@carrier\.example>;tag=\w+$/);
    expect(header(invite, "To")).toBe("<sip:+12065550199@carrier.example>");
    expect(header(invite, "Contact")).toMatch(/^<sip:\+12065550100@127\.0\.0\.1:\d+>$/);
    expect(header(invite, "Max-Forwards")).toBe("70");
    const body = invite.slice(invite.indexOf("\r\n\r\n") + 4);
    expect(Number(header(invite, "Content-Length"))).toBe(body.length);
    expect(body).toMatch(/m=audio \d+ RTP\/AVP 0\r\na=rtpmap:0 PCMU\/8000\r\n/);
    expect([invite, ack, bye].map((text) => header(text, "CSeq"))).toEqual(["1 INVITE", "1 ACK", "2 BYE"]);
    for (const text of [ack, bye]) {
      expect(text.split(" ")[1]).toBe(`sip:callee@127.0.0.1:${peer.port}`);
      expect(header(text, "To")).toBe(`${header(invite, "To")};tag=peer`);
      expect(header(text, "From")).toBe(header(invite, "From"));
      expect(header(text, "Call-ID")).toBe(header(invite, "Call-ID"));
    }
    expect(header(ack, "Via")).not.toBe(header(invite, "Via"));
  });

  it("ends early when the peer hangs up", async () => {
    const peer = await openPeer((self, method, text) => {
      friendly(self, method, text, self.caller!);
      if (method === "ACK") setTimeout(() => self.request("BYE"), 200);
    });
    const { outcome } = await call(peer, { audio: sweep(3000) });
    expect(outcome).toMatchObject({
      result: "answered-completed",
      endedBy: "peer",
      reason: "the peer hung up",
    });
    expect(outcome.playedMs).toBeGreaterThanOrEqual(100);
    expect(outcome.playedMs).toBeLessThan(600);
    expect(peer.methods).not.toContain("BYE");
    expect(
      peer.requests.some((text) => text.startsWith("SIP/2.0 200") && header(text, "CSeq") === "1 BYE"),
    ).toBe(true);
  });

  it("repeats what is lost: INVITE, ACK and BYE", async () => {
    const seen = { invites: 0, acks: 0, byes: 0 };
    const peer = await openPeer((self, method, text) => {
      if (method === "INVITE") {
        seen.invites += 1;
        if (seen.invites < 3) return;
        self.accept(text);
      } else if (method === "ACK") {
        seen.acks += 1;
        if (seen.acks === 1) self.accept(self.invite);
      } else {
        seen.byes += 1;
        if (seen.byes === 2) self.reply(text, "200 OK");
      }
    });
    const { outcome } = await call(peer);
    expect(outcome.result).toBe("answered-completed");
    expect(seen).toEqual({ invites: 3, acks: 2, byes: 2 });
    const vias = peer.requests.filter((text) => text.startsWith("INVITE")).map((text) => header(text, "Via"));
    expect(new Set(vias).size).toBe(1);
  });

  it("follows the route that the peer recorded", async () => {
    const peer = await openPeer((self, method, text) => {
      const routes = [`Record-Route: <sip:127.0.0.1:${self.port};lr>, <sip:192.0.2.9;lr>`];
      const contact = "Contact: <sip:callee@192.0.2.7>";
      if (method === "INVITE") self.reply(text, "200 OK", [contact, ...routes], self.answer());
      else if (method === "BYE") self.reply(text, "200 OK");
    });
    const { outcome } = await call(peer);
    expect(outcome.result).toBe("answered-completed");
    const bye = peer.requests.find((text) => text.startsWith("BYE")) ?? "";
    expect(bye).toMatch(/^BYE sip:callee@192\.0\.2\.7 /);
    expect(bye.match(/^Route: .*(?=\r$)/gm)).toEqual([
      "Route: <sip:192.0.2.9;lr>",
      `Route: <sip:127.0.0.1:${peer.port};lr>`,
    ]);
  });

  it("sends the audio to another address of the peer only when that is allowed", async () => {
    const peer = await openPeer((self, method, text) => {
      if (method === "INVITE") self.accept(text, self.answer().replaceAll("127.0.0.1", "127.0.0.2"));
      else if (method !== "ACK") self.reply(text, "200 OK");
    });
    const elsewhere = createSocket("udp4");
    let packets = 0;
    elsewhere.on("message", () => {
      packets += 1;
    });
    await new Promise<void>((resolve) =>
      elsewhere.bind(peer.media.address().port, "127.0.0.2", () => resolve()),
    );
    const refused = await call(peer);
    expect(refused.outcome).toMatchObject({
      result: "failed",
      reason: "the peer names an address that is not allowed",
    });
    expect(packets).toBe(0);
    const asked: string[] = [];
    const allowed = await call(peer, {
      isAddressAllowed: async (host) => asked.push(host) > 0,
    });
    expect(allowed.outcome.result).toBe("answered-completed");
    expect(asked).toEqual(["127.0.0.2"]);
    expect(packets).toBe(10);
    elsewhere.close();
  });

  it("answers what the peer asks meanwhile, and nobody else", async () => {
    const peer = await openPeer((self, method, text) => {
      friendly(self, method, text, self.caller!);
      if (method !== "ACK") return;
      self.send(Buffer.from([0xff, 0x00, 0xfe]));
      self.send("SIP/2.0 nonsense\r\n\r\n");
      self.send("x".repeat(30_000));
      self.request("BYE", { toTag: "wrong" });
      for (const other of ["OPTIONS", "INVITE", "MESSAGE"]) self.request(other);
    });
    const { outcome } = await call(peer);
    expect(outcome).toMatchObject({ result: "answered-completed", endedBy: "us" });
    const replies = peer.requests
      .filter((text) => text.startsWith("SIP/2.0"))
      .map((text) => `${header(text, "CSeq").slice(2)} ${text.split(" ")[1]}`);
    expect(replies).toEqual(["BYE 481", "OPTIONS 200", "INVITE 488", "MESSAGE 405"]);
  });
});

describe("credentials", () => {
  const credentials = { username: "medley", password: "s3cret" };

  function expectGoodAnswer(text: string, name: string, algorithm: "md5" | "sha256", method: string): void {
    const value = header(text, name);
    const field = (key: string) => {
      const match = new RegExp(`(?:^Digest |, )${key}=(?:"([^"]*)"|([^",]*))`).exec(value);
      return match?.[1] ?? match?.[2] ?? "";
    };
    const hash = (input: string) => createHash(algorithm).update(input).digest("hex");
    const first = hash(`medley:${field("realm")}:s3cret`);
    const second = hash(`${method}:${field("uri")}`);
    const middle =
      field("qop") === "" ? field("nonce") : `${field("nonce")}:${field("nc")}:${field("cnonce")}:auth`;
    expect(field("response")).toBe(hash(`${first}:${middle}:${second}`));
    expect(field("uri")).toBe(text.split(" ")[1]);
  }

  it.each<[string, string, string, string, "md5" | "sha256"]>([
    [
      "401 Unauthorized",
      "WWW-Authenticate",
      "Authorization",
      'Digest realm="a, b", nonce="n1", qop="auth,auth-int", opaque="o"',
      "md5",
    ],
    [
      "407 Proxy Authentication Required",
      "Proxy-Authenticate",
      "Proxy-Authorization",
      'Digest realm="r", nonce="n2", algorithm=SHA-256, qop="auth"',
      "sha256",
    ],
    [
      "401 Unauthorized",
      "WWW-Authenticate",
      "Authorization",
      'Digest realm="r",nonce="n3",algorithm=MD5',
      "md5",
    ],
  ])("are shown after %s by %s", async (status, ask, answer, challenge, algorithm) => {
    const peer = await openPeer((self, method, text) => {
      const isShown = header(text, answer) !== "";
      if (method === "ACK") return;
      if (!isShown) self.reply(text, status, [`${ask}: ${challenge}`]);
      else friendly(self, method, text, self.caller!);
    });
    const { outcome } = await call(peer, { credentials });
    expect(outcome.result).toBe("answered-completed");
    expect(peer.methodsOnce).toEqual(["INVITE", "ACK", "INVITE", "ACK", "BYE", "BYE"]);
    expect(header(peer.requests[2]!, "CSeq")).toBe("2 INVITE");
    expectGoodAnswer(peer.requests[2]!, answer, algorithm, "INVITE");
    expectGoodAnswer(peer.requests[5]!, answer, algorithm, "BYE");
  });

  it("prefer SHA-256, and answer a stale challenge again", async () => {
    let challenges = 0;
    const peer = await openPeer((self, method, text) => {
      if (method === "BYE") self.reply(text, "200 OK");
      if (method !== "INVITE") return;
      challenges += 1;
      const stale = challenges === 2 ? ", stale=true" : "";
      const lines = ["MD5", "SHA-256"].map(
        (name) =>
          `WWW-Authenticate: Digest realm="r", nonce="n${challenges}", algorithm=${name}, qop="auth"${stale}`,
      );
      if (challenges < 3) self.reply(text, "401 Unauthorized", lines);
      else self.accept(text);
    });
    const { outcome } = await call(peer, { credentials });
    expect(outcome.result).toBe("answered-completed");
    expectGoodAnswer(peer.requests[2]!, "Authorization", "sha256", "INVITE");
    expectGoodAnswer(peer.requests[4]!, "Authorization", "sha256", "INVITE");
    expect(header(peer.requests[4]!, "Authorization")).toContain('nonce="n2"');
  });

  it.each<[string, Partial<CallRequest>, string, number]>([
    ["there are none", {}, 'Digest realm="r", nonce="n"', 1],
    ["they are wrong", { credentials }, 'Digest realm="r", nonce="n"', 2],
    [
      "another realm asks",
      { credentials: { ...credentials, realm: "mine" } },
      'Digest realm="r", nonce="n"',
      1,
    ],
    ["the algorithm is unknown", { credentials }, 'Digest realm="r", nonce="n", algorithm=ROT13', 1],
    ["the scheme is unknown", { credentials }, 'Basic realm="r"', 1],
  ])("do not help when %s", async (_name, changes, challenge, invites) => {
    const peer = await openPeer(refusing("401 Unauthorized", [`WWW-Authenticate: ${challenge}`]));
    const { outcome } = await call(peer, changes);
    expect(outcome).toMatchObject({ result: "failed", status: 401, endedBy: "peer" });
    expect(peer.methodsOnce.filter((method) => method === "INVITE").length).toBe(invites);
    expect(peer.methodsOnce.filter((method) => method === "ACK").length).toBe(invites);
  });
});

describe("a call that is not answered", () => {
  it.each([
    ["486 Busy Here", "busy"],
    ["600 Busy Everywhere", "busy"],
    ["480 Temporarily Unavailable", "noAnswer"],
    ["408 Request Timeout", "noAnswer"],
    ["603 Decline", "rejected"],
    ["403 Forbidden", "rejected"],
    ["404 Not Found", "failed"],
    ["302 Moved Temporarily", "failed"],
    ["503 Service Unavailable", "failed"],
  ])("%s means %s", async (status, result) => {
    const peer = await openPeer(refusing(status));
    const { outcome, events } = await call(peer);
    expect(outcome).toMatchObject({
      result,
      status: Number(status.slice(0, 3)),
      reason: status.slice(4),
      playedMs: 0,
    });
    expect(events).toEqual(["initiated", "ended"]);
    expect(peer.methodsOnce).toEqual(["INVITE", "ACK"]);
    expect(header(peer.requests[1]!, "Via")).toBe(header(peer.requests[0]!, "Via"));
    expect(header(peer.requests[1]!, "To")).toContain("tag=peer");
  });

  it("acknowledges a repeated refusal again", async () => {
    const peer = await openPeer((self, method, text) => {
      if (method === "INVITE") self.reply(text, "486 Busy Here");
      if (method === "ACK" && self.methods.filter((name) => name === "ACK").length === 1)
        self.reply(self.invite, "486 Busy Here");
    });
    await call(peer);
    expect(peer.methods.slice(-2)).toEqual(["ACK", "ACK"]);
  });

  it("is cancelled when it rings too long", async () => {
    const peer = await openPeer((self, method, text) => {
      if (method === "INVITE") self.reply(text, "180 Ringing");
      if (method !== "CANCEL") return;
      self.reply(text, "200 OK");
      self.reply(self.invite, "487 Request Terminated");
    });
    const { outcome, events } = await call(peer, { ringTimeoutMs: 300 });
    expect(outcome).toMatchObject({
      result: "noAnswer",
      status: 487,
      reason: "nobody answered",
      endedBy: "us",
    });
    expect(outcome.endedAfterMs).toBeGreaterThanOrEqual(290);
    expect(events).toEqual(["initiated", "ringing", "ended"]);
    expect(peer.methodsOnce).toEqual(["INVITE", "CANCEL", "ACK"]);
    const [invite = "", cancel = ""] = peer.requests;
    expect(header(cancel, "Via")).toBe(header(invite, "Via"));
    expect(header(cancel, "CSeq")).toBe("1 CANCEL");
  });

  it("is hung up when the answer crosses the cancellation", async () => {
    const peer = await openPeer((self, method, text) => {
      if (method === "INVITE") self.reply(text, "180 Ringing");
      if (method === "CANCEL") {
        self.accept(self.invite);
        self.reply(text, "200 OK");
      }
      if (method === "BYE") self.reply(text, "200 OK");
    });
    const { outcome } = await call(peer, { ringTimeoutMs: 200 });
    expect(outcome).toMatchObject({ result: "noAnswer", playedMs: 0 });
    expect(peer.methodsOnce).toEqual(["INVITE", "CANCEL", "ACK", "BYE"]);
    expect(peer.packets).toEqual([]);
  });

  it("fails when the peer is silent, even after the cancellation", async () => {
    const silent = await openPeer(() => undefined);
    const { outcome } = await call(silent, { timings: { t1Ms: 10 } });
    expect(outcome).toMatchObject({ result: "failed", reason: "the peer did not respond" });
    expect(outcome.endedAfterMs).toBeGreaterThanOrEqual(630);
    // A busy machine may skip a repetition.
    expect([5, 6, 7]).toContain(silent.methods.length);

    const mute = await openPeer((self, method, text) => {
      if (method === "INVITE") self.reply(text, "180 Ringing");
    });
    const second = await call(mute, { timings: { t1Ms: 10 }, ringTimeoutMs: 100 });
    expect(second.outcome).toMatchObject({ result: "noAnswer", reason: "nobody answered" });
  });

  it("fails when the peer offers no way to send the audio", async () => {
    for (const sdp of [
      "",
      "v=0\r\nc=IN IP4 127.0.0.1\r\nm=audio 4000 RTP/AVP 8\r\n",
      "v=0\r\nc=IN IP4 192.0.2.1\r\nm=audio 4000 RTP/AVP 0\r\n",
    ]) {
      const peer = await openPeer((self, method, text) => {
        if (method === "INVITE") self.accept(text, sdp);
        if (method === "BYE") self.reply(text, "200 OK");
      });
      const { outcome } = await call(peer);
      expect(outcome.result).toBe("failed");
      expect(outcome.reason).toMatch(sdp.includes("192.0.2.1") ? /not allowed/ : /no PCMU/);
      expect(peer.methodsOnce).toEqual(["INVITE", "ACK", "BYE"]);
    }
  });
});

describe("giving up", () => {
  it("cancels while it rings and hangs up while it plays", async () => {
    const ringing = await openPeer((self, method, text) => {
      if (method === "INVITE") self.reply(text, "180 Ringing");
      if (method === "CANCEL") self.reply(self.invite, "487 Request Terminated");
      if (method === "CANCEL") self.reply(text, "200 OK");
    });
    const first = await call(ringing, { signal: AbortSignal.timeout(150) });
    expect(first.outcome).toMatchObject({ result: "failed", reason: "aborted", status: 487 });
    const playing = await openPeer(friendly);
    const second = await call(playing, { audio: sweep(3000), signal: AbortSignal.timeout(300) });
    expect(second.outcome).toMatchObject({ result: "failed", reason: "aborted" });
    expect(second.outcome.playedMs).toBeLessThan(600);
    expect(playing.methodsOnce).toEqual(["INVITE", "ACK", "BYE"]);
    const never = await call(playing, { signal: AbortSignal.abort() });
    expect(never.outcome).toMatchObject({ result: "failed", reason: "aborted" });
    expect(playing.methodsOnce.length).toBe(3);
  });

  it("happens when a listener throws, and tells its error", async () => {
    const peer = await openPeer(friendly);
    const onEvent = (event: CallEvent) => {
      if (event.type === "answered") throw new Error("listener broke");
    };
    await expect(call(peer, { onEvent, audio: sweep(2000) })).rejects.toThrow("listener broke");
    expect(peer.methodsOnce).toEqual(["INVITE", "ACK", "BYE"]);
  });

  it("is not needed for bad requests: they are refused at once", () => {
    const good = {
      peer: { host: "127.0.0.1", port: 5060 },
      from: "1",
      to: "2",
      audio: sweep(20),
      ringTimeoutMs: 1,
    };
    expect(() => placeCall({ ...good, to: "2\r\nEvil: 1" })).toThrow(/plain/);
    expect(() => placeCall({ ...good, peer: { host: "sip.example.org", port: 5060 } })).toThrow(/IP address/);
    expect(() => placeCall({ ...good, domain: "a b" })).toThrow(/plain/);
  });
});
