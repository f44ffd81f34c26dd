/**
 * Subscriptions over HTTP, on both databases: which messages subscribers get, by which channels, and which
 * nobody gets.
 */
import { createHmac } from "node:crypto";
import { request as httpRequest } from "node:http";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type As, BASE, type Newsroom, openNewsroom } from "../../../tests/support/contributions.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import { WebReceiver } from "../../../tests/support/web-receiver.ts";

type OutboxMessage = { kind: string; target: string; subject: string; body: string; state: string };

onBothDatabases(
  "subscriptions to contributions",
  (instance) => {
    let room: Newsroom;
    let receiver: WebReceiver;
    let assignment: { id: string };
    beforeAll(async () => {
      receiver = new WebReceiver();
      await receiver.open();
      room = await openNewsroom(instance());
      assignment = await ok(
        room.ann.send("POST", "/assignments", { name: "The flood", moderation: "before" }),
      );
    });
    afterAll(() => receiver.close());
    const ok = async (sent: ReturnType<As["send"]>) => {
      const answered = await sent;
      expect(answered.status, answered.text).toBe(200);
      return answered.body;
    };
    const contribute = (headline: string, media: readonly string[] = []) =>
      ok(
        room.bob.send("POST", "/contributions", {
          assignment: { id: assignment.id },
          headline,
          body: "Nobody was hurt.",
          mediaUsages: media.map((id) => ({ media: { id } })),
        }),
      );
    const approve = (id: string) =>
      ok(room.ann.send("POST", `/contributions/${id}/moderate`, { action: { id: "approve" } }));
    const outbox = async (target: string): Promise<OutboxMessage[]> => {
      const query = new URLSearchParams({ target });
      const { body } = await instance().bearer("GET", `/_medley/outbox?${query}`);
      return body.messages.map((one: OutboxMessage) => ({ ...one, body: JSON.stringify(one.body) }));
    };
    const subscribe = (who: As, body: object) =>
      ok(
        who.send("POST", "/subscriptions", { types: ["contribution.approved"], includeBody: true, ...body }),
      );

    it("names the types, lists and ends subscriptions of the caller", async () => {
      const types = await ok(room.stranger.send("GET", "/subscription-types"));
      expect(types).toContainEqual({ id: "contribution.approved", name: "A contribution was approved" });
      const made = await subscribe(room.cleo, { email: "cleo@example.org", includeThumbenail: true });
      expect(made).toMatchObject({ user: room.cleo.userId, includeThumbnail: true, includeThumbenail: true });
      expect(await ok(room.cleo.send("GET", "/subscriptions"))).toEqual([made]);
      expect(await ok(room.bob.send("GET", "/subscriptions"))).toEqual([]);
      expect(await listWithBody({ types: ["contribution.approved"], includeBody: true })).toBe(1);
      expect(await listWithBody({ types: ["contribution.flagged"], includeBody: true })).toBe(0);
      expect((await room.bob.send("DELETE", `/subscriptions/${made.id}`)).status).toBe(404);
      expect((await room.cleo.send("DELETE", `/subscriptions/${made.id}`)).status).toBe(200);
      expect(await ok(room.cleo.send("GET", "/subscriptions"))).toEqual([]);
      expect((await room.stranger.send("GET", "/subscriptions")).status).toBe(401);
    });
    /** As in the contract: a GET with a body, which fetch refuses to send. */
    const listWithBody = (body: object): Promise<number> =>
      new Promise((resolve, reject) => {
        const text = JSON.stringify(body);
        const headers = {
          authorization: `Bearer ${room.tokens.cleo}`,
          "content-type": "application/json",
          "content-length": Buffer.byteLength(text),
        };
        const request = httpRequest(`${instance().url}${BASE}/subscriptions`, { headers }, (response) => {
          response.resume();
          response.on("end", () => resolve(Number(response.headers["x-total-count"])));
        });
        request.on("error", reject);
        request.end(text);
      });

    it("refuses what says nowhere to go, and what is not there", async () => {
      for (const body of [
        {},
        { email: "nobody" },
        { webhookUrl: "ftp://x" },
        { email: "a@b.org", types: ["none"] },
      ]) {
        const refused = await room.ann.send("POST", "/subscriptions", {
          types: ["contribution.approved"],
          includeBody: false,
          ...body,
        });
        expect(refused.status, JSON.stringify(body)).toBe(400);
      }
      const elsewhere = {
        types: ["contribution.approved"],
        includeBody: false,
        email: "a@b.org",
        assignment: "none",
      };
      expect((await room.ann.send("POST", "/subscriptions", elsewhere)).status).toBe(400);
    });

    it("tells by mail, chat, webhook and push, each signed and as it was asked for", async () => {
      const picture = await sharp({ create: { width: 50, height: 50, channels: 3, background: "red" } })
        .jpeg()
        .toBuffer();
      const media = await ok(room.bob.send("POST", "/media", picture));
      const url = `${receiver.url}/hook`;
      const made = await subscribe(room.ann, {
        assignment: assignment.id,
        email: "desk@example.org",
        slackChannel: "#pictures",
        webhookUrl: url,
        pushUrl: `${receiver.url}/push`,
        includeThumbnail: true,
      });
      await subscribe(room.cleo, { email: "brief@example.org", includeBody: false });
      const { id } = await contribute("The “bridge”\r\nBcc: x", [media.id]);
      await eventually(async () => {
        const [usage] = (await ok(room.ann.send("GET", `/contributions/${id}`))).mediaUsages;
        return usage.media.state === "ready";
      }, "artifacts");
      await approve(id);
      const [mail] = await eventually(async () => {
        const found = await outbox("desk@example.org");
        return found.length > 0 && found;
      }, "the mail");
      expect(mail?.kind).toBe("mail");
      expect(mail?.subject).toMatch(/^The contribution .* was approved \(The flood\)$/);
      expect(mail?.subject).not.toMatch(/[\r\n]/);
      expect(mail?.body).toContain("Nobody was hurt.");
      expect(mail?.body).toContain(`/media/${media.id}/thumbnail`);
      const [brief] = await eventually(async () => {
        const found = await outbox("brief@example.org");
        return found.length > 0 && found;
      }, "the short mail");
      expect(brief?.body).not.toContain("Nobody was hurt.");
      expect(brief?.body).not.toContain("thumbnail");
      expect(await outbox("#pictures")).toMatchObject([{ kind: "chat", state: "recorded" }]);
      const hook = await eventually(
        () => receiver.received.find((one) => one.path === "/hook"),
        "the webhook",
      );
      const {
        "webhook-id": messageId,
        "webhook-timestamp": at,
        "webhook-signature": signature,
      } = hook.headers;
      const right = createHmac("sha256", made.token)
        .update(`${messageId}.${at}.${hook.body}`)
        .digest("base64");
      expect(signature).toBe(`v1,${right}`);
      expect(JSON.parse(hook.body)).toMatchObject({
        type: "contribution.approved",
        record: id,
        subscription: made.id,
      });
      await eventually(() => receiver.received.find((one) => one.path === "/push"), "the push");
    });

    it("delivers to a chat by its address, and again where it was refused", async () => {
      let refusals = 1;
      receiver.answer = ({ path }) => (path === "/chat" && refusals-- > 0 ? 503 : 200);
      const address = `${receiver.url}/chat`;
      const { token } = await subscribe(room.ann, {
        types: ["contribution.created"],
        assignment: assignment.id,
        slackChannel: address,
      });
      await contribute("Talked about");
      const [first, second] = await eventually(() => {
        const heard = receiver.received.filter(({ path }) => path === "/chat");
        return heard.length === 2 && heard;
      }, "a second attempt");
      expect(first?.headers["webhook-id"]).toBe(second?.headers["webhook-id"]);
      const signed = `${second?.headers["webhook-id"]}.${second?.headers["webhook-timestamp"]}.${second?.body}`;
      const right = createHmac("sha256", token).update(signed).digest("base64");
      expect(second?.headers["webhook-signature"]).toBe(`v1,${right}`);
      expect(JSON.parse(second?.body ?? "").text).toContain("A contribution came in: “Talked about”.");
      await eventually(async () => (await outbox(address))[0]?.state === "delivered", "the delivery");
    });

    it("tells nobody of what they may not see", async () => {
      const types = ["contribution.created", "contribution.rejected"];
      await subscribe(room.cleo, { types, email: "curious@example.org" });
      await subscribe(room.ann, { types, email: "owner@example.org" });
      await subscribe(room.bob, { types: ["contribution.rejected"], email: "author@example.org" });
      const { id } = await contribute("Hidden");
      await ok(room.ann.send("POST", `/contributions/${id}/moderate`, { action: { id: "reject" } }));
      await eventually(async () => (await outbox("owner@example.org")).length === 2, "the owner's mails");
      expect(await outbox("author@example.org")).toHaveLength(1);
      expect(await outbox("curious@example.org")).toEqual([]);
    });

    it("tells of flags only those who decide", async () => {
      const types = ["contribution.flagged"];
      await subscribe(room.bob, { types, email: "flagged@example.org" });
      await subscribe(room.ann, { types, email: "decides@example.org" });
      const { id } = await contribute("Flagged");
      await approve(id);
      await ok(room.cleo.send("POST", `/contributions/${id}/flag`, { type: "spam" }));
      await eventually(async () => (await outbox("decides@example.org")).length === 1, "the owner's mail");
      expect(await outbox("flagged@example.org")).toEqual([]);
    });

    it("takes nobody for an assignment that is hidden from them", async () => {
      const hidden = await ok(
        room.ann.send("POST", "/assignments", { name: "Later", embargo: "2099-01-01T00:00:00Z" }),
      );
      const body = { types: ["tag.created"], includeBody: false, email: "a@b.org", assignment: hidden.id };
      expect((await room.cleo.send("POST", "/subscriptions", body)).status).toBe(400);
      expect((await room.ann.send("POST", "/subscriptions", body)).status).toBe(200);
    });

    it("takes a hundred of one person", async () => {
      const had = (await ok(room.bob.send("GET", "/subscriptions"))).length;
      for (let count = had; count < 100; count += 1)
        await subscribe(room.bob, { types: ["tag.created"], email: `bob${count}@example.org` });
      const body = { types: ["tag.created"], includeBody: false, email: "more@example.org" };
      expect((await room.bob.send("POST", "/subscriptions", body)).status).toBe(409);
    });

    it("shows beforehand what a message says", async () => {
      const { id } = await contribute("<b>Bold</b> & bright");
      const preview = (who: As, message: string) =>
        who.send("GET", `/notifications/contributions/${id}/preview?message=${message}`);
      const { subject, html, email } = await ok(preview(room.ann, "contribution.approved"));
      expect(subject).toContain("<b>Bold</b> & bright");
      expect(html).toContain("&lt;b&gt;Bold&lt;/b&gt; &amp; bright");
      expect(email).toContain("Nobody was hurt.");
      expect((await preview(room.ann, "contribution.lost")).status).toBe(400);
      expect((await preview(room.cleo, "contribution.approved")).status).toBe(404);
      expect(
        (await room.stranger.send("GET", `/notifications/contributions/${id}/preview?message=x`)).status,
      ).toBe(401);
    });
  },
  { services: ["identity", "contributions"] },
);
