/** Archives of functions, media of contributions and sound of calls in an object store. On both databases. */
import { createHash, randomBytes } from "node:crypto";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type Newsroom, ok, openNewsroom } from "../../../tests/support/contributions.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { Functions } from "../../../tests/support/functions.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import { S3Double } from "../../../tests/support/s3-double.ts";
import { BASE, Voice } from "../../../tests/support/voice.ts";

const store = await S3Double.start();
afterEach(() => {
  store.mood = "well";
});
afterAll(() => store.stop());

const SIDE = 400;
const picture = () =>
  sharp(randomBytes(SIDE * SIDE * 3), { raw: { width: SIDE, height: SIDE, channels: 3 } })
    .png()
    .toBuffer();
const sha256Of = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

onBothDatabases(
  "objects of services",
  (instance) => {
    const functions = new Functions(instance);
    const voice = new Voice(instance);
    let room: Newsroom;
    const namesOf = (service: string) => [...store.kept.keys()].filter((key) => key.includes(`/${service}/`));
    const verified = async () => (await instance().bearer("GET", "/_medley/objects")).body;
    const source = {
      "index.js": "exports.large = (request, response) => response.send('large')",
      "ballast.bin": randomBytes(1_400_000),
    };
    beforeAll(async () => {
      store.kept.clear();
      room = await openNewsroom(instance());
    });

    it("a function's archive is stored there, run from there and downloaded from there", async () => {
      const url = await functions.running("large", { source });
      expect(namesOf("functions")).toHaveLength(2);
      expect((await functions.call(url)).text).toBe("large");
      const made = await functions.send("POST", `${functions.nameOf("large")}:generateDownloadUrl`, {
        body: {},
      });
      const whole = await instance().send("GET", made.body.downloadUrl);
      expect(whole.headers.get("etag")).toBe(`"${sha256Of(whole.bytes)}"`);
      const headers = { range: "bytes=1048570-1048590" };
      const part = await instance().send("GET", made.body.downloadUrl, { headers });
      expect([part.status, part.bytes.equals(whole.bytes.subarray(1_048_570, 1_048_591))]).toEqual([
        206,
        true,
      ]);
      store.mood = "busy";
      const refused = await instance().send("GET", made.body.downloadUrl);
      expect([refused.status, refused.body.error.status]).toEqual([503, "UNAVAILABLE"]);
    });
    it("an upload of an archive is refused while the store is away, and leaves nothing behind", async () => {
      const made = await functions.send("POST", `${functions.place}/functions:generateUploadUrl`, {
        body: {},
      });
      const sent = () =>
        instance().send("PUT", made.body.uploadUrl, {
          body: randomBytes(2_500_000),
          headers: { "content-type": "application/zip" },
        });
      for (const mood of ["silent", "full"] as const) {
        store.mood = mood;
        const refused = await sent();
        expect([refused.status, refused.body.error.status], mood).toEqual([503, "UNAVAILABLE"]);
      }
      store.mood = "well";
      expect((await sent()).status).toBe(200);
      // A request that was given up may still have stored a chunk; the sweep removes it.
      await eventually(async () => {
        await instance().bearer("POST", "/_medley/objects/sweep");
        return (await verified()).unnamed === 0;
      });
      expect(await verified()).toMatchObject({ missing: 0, inDatabase: 0 });
    });
    it("bytes of 16 KB are stored there, smaller ones with their row", async () => {
      const namesAfter = async (bytes: number) => {
        const made = await functions.send("POST", `${functions.place}/functions:generateUploadUrl`, {
          body: {},
        });
        const headers = { "content-type": "application/zip" };
        const sent = { body: randomBytes(bytes), headers };
        expect((await instance().send("PUT", made.body.uploadUrl, sent)).status).toBe(200);
        return namesOf("functions").length;
      };
      const before = namesOf("functions").length;
      expect([await namesAfter(16_383), await namesAfter(16_384)]).toEqual([before, before + 1]);
      expect(await verified()).toMatchObject({ inDatabase: 0 });
    });
    it("a picture and its artifacts are stored there, and shown from there", async () => {
      const bytes = await picture();
      store.mood = "full";
      const refused = await room.bob.send("POST", "/media", bytes);
      expect(refused.status, refused.text).toBe(503);
      store.mood = "well";
      const { id } = await ok(room.bob.send("POST", "/media", bytes));
      const shown = await eventually(async () => {
        const answer = await room.account.send("GET", `/media/${id}/original`);
        return answer.status === 200 && answer;
      });
      expect(shown.bytes.equals(bytes)).toBe(true);
      expect(namesOf("contributions").some((name) => name.includes(sha256Of(bytes)))).toBe(true);
      store.mood = "silent";
      expect((await room.account.send("GET", `/media/${id}/original`)).status).toBe(503);
    });
    it("the sound of a call is stored there, and heard from there", async () => {
      store.mood = "busy";
      const asked = store.requests;
      const { body } = await voice.send("POST", `${BASE}/voice/message`, {
        DestinationPhoneNumber: "+12065550111",
        OriginationPhoneNumber: "+12065550100",
        Content: {
          PlainTextMessage: { Text: "This call is long enough to be a large object.", LanguageCode: "en-US" },
        },
      });
      await eventually(() => store.requests > asked, "an attempt to store the sound");
      store.mood = "well";
      const call = await eventually(async () => {
        await instance().clock.advance("1s");
        return (await voice.outbox("kind=call")).find((one) => one.body.messageId === body.MessageId);
      });
      const sound = await instance().bearer("GET", call.content);
      expect(sound.headers.get("content-type")).toBe("audio/wav");
      expect(namesOf("voice").some((name) => name.includes(sha256Of(sound.bytes)))).toBe(true);
      store.mood = "refusing";
      expect((await instance().bearer("GET", call.content)).status).toBe(503);
    });
    it("move to the database and back, and are gone with the state", async () => {
      // An attempt to store may have left an object that nothing names.
      const { objects, unnamed } = await verified();
      const all = 2 * objects - unnamed;
      for (const to of ["database", "s3"]) {
        for (let next: string | undefined, isEnd = false; !isEnd; isEnd = next === undefined) {
          const body = { to, ...(next !== undefined && { next }) };
          next = (await instance().bearer("POST", "/_medley/objects/move", { body })).body.next;
        }
        expect((await verified()).inDatabase > 0).toBe(to === "database");
      }
      expect(await verified()).toMatchObject({ missing: 0, objects: all, unnamed: objects });
      await instance().medley.reset();
      for (const waiting of [all, 0]) {
        const swept = await instance().bearer("POST", "/_medley/objects/sweep");
        expect(swept.body).toEqual({ removed: all - waiting, waiting });
      }
      expect(store.kept.size).toBe(0);
    });
  },
  { services: ["functions", "contributions", "identity", "voice"], ...store.options },
);
