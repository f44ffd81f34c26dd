/** SIP messages, session descriptions, RTP packets and mu-law, apart from any call. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  findHeader,
  findHostPort,
  findParameter,
  findUri,
  headerValues,
  parseMessage,
  writeMessage,
} from "./message.ts";
import { decodeMuLaw, encodeMuLaw } from "./mu-law.ts";
import { packetCount, parseRtp, rtpPacketAt } from "./rtp.ts";
import { findMediaAddress, writeOffer } from "./sdp.ts";

describe("SIP messages", () => {
  it("are read with short names, folded lines and several values", () => {
    const text = [
      "SIP/2.0 200 OK",
      'v: SIP/2.0/UDP 10.0.0.1;branch=z9hG4bK1, SIP/2.0/UDP "a,b";branch=2',
      "Via: SIP/2.0/UDP 10.0.0.3",
      'f: "Ann, <A>" <sip:ann@example.org;x=y>;tag=t1',
      "Subject: two",
      "  lines",
      "l: 4",
      "",
      "bodyrest",
    ].join("\r\n");
    const message = parseMessage(Buffer.from(text));
    expect(message).toMatchObject({ kind: "response", status: 200, reason: "OK", body: "body" });
    expect(message && headerValues(message, "via").map((via) => findParameter(via, "branch"))).toEqual([
      "z9hG4bK1",
      "2",
      undefined,
    ]);
    expect(message && findHeader(message, "subject")).toBe("two lines");
    expect(findParameter(message ? (findHeader(message, "from") ?? "") : "", "tag")).toBe("t1");
    expect(findUri('"Ann" <sip:ann@example.org;x=y>;tag=t1')).toBe("sip:ann@example.org;x=y");
  });

  it("have 16,384 bytes and 128 headers at the most", () => {
    const reading = (lines: readonly string[], body = "") =>
      parseMessage(Buffer.from(["OPTIONS sip:a@b SIP/2.0", ...lines, "", body].join("\r\n"))) !== undefined;
    const emptyBytes = Buffer.byteLength("OPTIONS sip:a@b SIP/2.0\r\nx: y\r\n\r\n");
    const ofBytes = (bytes: number) => reading(["x: y"], "b".repeat(bytes - emptyBytes));
    expect([16_384, 16_385].map(ofBytes)).toEqual([true, false]);
    expect([128, 129].map((count) => reading(Array(count).fill("x: y")))).toEqual([true, false]);
  });

  it("come back as they were written", () => {
    const request = {
      kind: "request" as const,
      method: "OPTIONS",
      target: "sip:a@b",
      headers: [{ name: "call-id", value: "1" }],
      body: "é",
    };
    const parsed = parseMessage(writeMessage(request));
    expect(parsed).toEqual({
      ...request,
      headers: [...request.headers, { name: "content-length", value: "2" }],
    });
  });

  it.each([
    "",
    "\r\n\r\n",
    "hello",
    "SIP/2.0 999 No\r\n\r\n",
    "BYE sip:a SIP/3.0\r\n\r\n",
    "BYE sip:a SIP/2.0\r\nno colon\r\n\r\n",
    "BYE sip:a SIP/2.0\r\nContent-Length: 5\r\n\r\nabc",
    "BYE sip:a SIP/2.0\r\nContent-Length: x\r\n\r\nabc",
  ])("are not found in %j", (text) => {
    expect(parseMessage(Buffer.from(text))).toBeUndefined();
  });

  it("have limits", () => {
    expect(parseMessage(Buffer.from(`BYE sip:a SIP/2.0\r\n${"A: b\r\n".repeat(200)}\r\n`))).toBeUndefined();
    expect(parseMessage(Buffer.from(`BYE sip:a SIP/2.0\r\n\r\n${"x".repeat(20_000)}`))).toBeUndefined();
  });

  it("are never an exception, whatever arrives", () =>
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.string({ maxLength: 100 }), (bytes, tail) => {
        parseMessage(Buffer.from(bytes));
        parseRtp(Buffer.from(bytes));
        findMediaAddress(tail);
        parseMessage(Buffer.from(`SIP/2.0 200 OK\r\n${tail}`));
      }),
    ));

  it.each([
    ["sip:a@10.0.0.1", { host: "10.0.0.1", port: 5060 }],
    ["sip:a@10.0.0.1:5080;transport=udp", { host: "10.0.0.1", port: 5080 }],
    ["sip:[::1]:5070", { host: "::1", port: 5070 }],
    ["sip:a@10.0.0.1:70000", undefined],
    ["tel:+1", undefined],
  ])("say where to go: %s", (uri, expected) => {
    expect(findHostPort(uri)).toEqual(expected);
  });
});

describe("session descriptions", () => {
  it("offer PCMU and are understood", () => {
    expect(findMediaAddress(writeOffer({ host: "192.0.2.1", port: 4000 }, 7))).toEqual({
      host: "192.0.2.1",
      port: 4000,
    });
    expect(writeOffer({ host: "::1", port: 4000 }, 7)).toContain("c=IN IP6 ::1\r\n");
  });

  it.each<[string, object | undefined]>([
    [
      "c=IN IP4 10.0.0.1\nm=video 1 RTP/AVP 0\nc=IN IP4 10.0.0.2\nm=audio 2 RTP/AVP 8 0\n",
      { host: "10.0.0.1", port: 2 },
    ],
    ["c=IN IP4 10.0.0.1\r\nm=audio 2 RTP/AVP 0\r\nc=IN IP4 10.0.0.3\r\n", { host: "10.0.0.3", port: 2 }],
    ["c=IN IP4 10.0.0.1\r\nm=audio 0 RTP/AVP 0\r\n", undefined],
    ["c=IN IP4 10.0.0.1\r\nm=audio 2 RTP/AVP 8 101\r\n", undefined],
    ["c=IN IP4 10.0.0.1\r\nm=audio 70000 RTP/AVP 0\r\n", undefined],
    ["c=IN IP4 media.example.org\r\nm=audio 2 RTP/AVP 0\r\n", undefined],
    ["m=audio 2 RTP/AVP 0\r\n", undefined],
    ["", undefined],
  ])("say where the audio goes: %j", (answer, expected) => {
    expect(findMediaAddress(answer)).toEqual(expected);
  });
});

describe("mu-law", () => {
  it("maps the known points", () => {
    const points = Int16Array.from([0, 32_767, -32_768, 1, -1, 132, -132]);
    expect([...encodeMuLaw(points)].slice(0, 3)).toEqual([0xff, 0x80, 0x00]);
    expect([...decodeMuLaw(Uint8Array.from([0xff, 0x80, 0x00, 0x7f]))]).toEqual([0, 32_124, -32_124, 0]);
  });

  it("comes back within the width of its step, and exactly the second time", () => {
    const all = Int16Array.from({ length: 65_536 }, (_, index) => index - 32_768);
    const decoded = decodeMuLaw(encodeMuLaw(all));
    const isFar = (sample: number, index: number) =>
      Math.abs(sample - (decoded[index] ?? 0)) > (Math.abs(sample) + 132) / 32;
    expect([...all].filter(isFar)).toEqual([]);
    expect(decodeMuLaw(encodeMuLaw(decoded))).toEqual(decoded);
  });
});

describe("RTP", () => {
  it("numbers packets past the end of their fields", () => {
    const stream = { sequenceFirst: 0xffff, timestampFirst: 0xffff_ffff, source: 0xdead_beef };
    const audio = new Uint8Array(200).fill(1);
    expect(packetCount(audio)).toBe(2);
    const second = parseRtp(rtpPacketAt(stream, audio, 1));
    expect(second).toMatchObject({
      sequence: 0,
      timestamp: 159,
      source: 0xdead_beef,
      isMarked: false,
      payloadType: 0,
    });
    expect(second?.payload.length).toBe(160);
    expect(second?.payload.subarray(40)).toEqual(Buffer.alloc(120, 0xff));
  });
});

it("the address of audio is found in the first 8,192 characters of an answer", () => {
  const answer = "v=0\nc=IN IP4 192.0.2.1\n";
  const media = "m=audio 4000 RTP/AVP 0\n";
  const found = (end: number) =>
    findMediaAddress(
      `${answer}${"a".repeat(end - answer.length - media.length - 1)}\n${media}${"a=x\n".repeat(9)}`,
    );
  // Cut within the line, it ends with another payload type.
  expect(found(8192)).toEqual({ host: "192.0.2.1", port: 4000 });
  expect(found(8194)).toBeUndefined();
});
