/** Calls that a peer answers, over real UDP: signalling, hanging up, giving up, and the audio as it arrives. */
import { createSocket } from "node:dgram";
import { describe, expect, it } from "vitest";
import { call, friendly, header, openPeer, sweep } from "../../../../tests/support/sip-scripted-peer.ts";
import { type CallEvent, placeCall } from "./index.ts";
import { decodeMuLaw, encodeMuLaw } from "./mu-law.ts";

describe("an answered call", () => {
  it("plays the whole message in real time and hangs up", async () => {
    const peer = await openPeer(friendly);
    const audio = sweep(1010);
    const beganMs = performance.now();
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
    // A busy machine may hear the first packet late, so the time counts from the call.
    expect(peer.packets.at(-1)!.atMs - beganMs).toBeGreaterThan(990);
  });

  it("has a well-formed INVITE, ACK and BYE", async () => {
    const peer = await openPeer(friendly);
    await call(peer, { domain: "carrier.example" });
    // A busy machine may send a request twice.
    const [invite = "", ack = "", bye = ""] = ["INVITE", "ACK", "BYE"].map((method) =>
      peer.requests.find((text) => text.startsWith(method)),
    );
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
    expect(outcome.playedMs).toBeLessThan(3000);
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
        if (seen.byes >= 2) self.reply(text, "200 OK");
      }
    });
    const { outcome } = await call(peer);
    expect(outcome.result).toBe("answered-completed");
    // A busy machine repeats more often than it must, but never says anything else.
    expect(seen.invites).toBeGreaterThanOrEqual(3);
    expect(seen.acks).toBeGreaterThanOrEqual(2);
    expect(seen.byes).toBeGreaterThanOrEqual(2);
    expect(peer.methodsOnce).toEqual(["INVITE", "ACK", "BYE"]);
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

describe("giving up", () => {
  it("cancels while it rings and hangs up while it plays", async () => {
    const ringing = await openPeer((self, method, text) => {
      if (method === "INVITE") self.reply(text, "180 Ringing");
      if (method === "CANCEL") self.reply(self.invite, "487 Request Terminated");
      if (method === "CANCEL") self.reply(text, "200 OK");
    });
    const given = new AbortController();
    const first = await call(ringing, {
      signal: given.signal,
      onEvent: ({ type }) => {
        if (type === "ringing") given.abort();
      },
    });
    expect(first.outcome).toMatchObject({ result: "failed", reason: "aborted", status: 487 });
    const playing = await openPeer(friendly);
    const hungUp = new AbortController();
    const second = await call(playing, {
      audio: sweep(3000),
      signal: hungUp.signal,
      onEvent: ({ type }) => {
        if (type === "answered") setTimeout(() => hungUp.abort(), 150);
      },
    });
    expect(second.outcome).toMatchObject({ result: "failed", reason: "aborted" });
    expect(second.outcome.playedMs).toBeLessThan(3000);
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
