/** Calls that a peer refuses, lets ring or does not hear, over real UDP. */
import { describe, expect, it } from "vitest";
import { eventually } from "../../../../tests/support/eventually.ts";
import { call, header, openPeer, refusing } from "../../../../tests/support/sip-scripted-peer.ts";

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
    // On a busy machine the INVITE is sent again before the answer arrives.
    const acknowledgement = peer.requests.find((text) => text.startsWith("ACK "))!;
    expect(header(acknowledgement, "Via")).toBe(header(peer.requests[0]!, "Via"));
    expect(header(acknowledgement, "To")).toContain("tag=peer");
  });

  it("acknowledges a repeated refusal again", async () => {
    // Both at once, so that the second comes while the first is still answered, however slow the machine is.
    const peer = await openPeer((self, method, text) => {
      if (method !== "INVITE") return;
      self.reply(text, "486 Busy Here");
      self.reply(text, "486 Busy Here");
    });
    await call(peer);
    await eventually(() => peer.methods.filter((name) => name === "ACK").length >= 2);
    expect(peer.methodsOnce).toEqual(["INVITE", "ACK"]);
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
    // A busy machine may skip repetitions; it never makes more of them than there is time for.
    expect(silent.methods.length).toBeGreaterThanOrEqual(2);
    expect(silent.methods.length).toBeLessThanOrEqual(7);
    expect(silent.methodsOnce).toEqual(["INVITE"]);

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
