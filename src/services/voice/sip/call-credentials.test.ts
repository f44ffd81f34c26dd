/** Calls to a peer that asks for credentials, over real UDP. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { call, friendly, header, openPeer, refusing } from "../../../../tests/support/sip-scripted-peer.ts";
import type { CallRequest } from "./index.ts";

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
