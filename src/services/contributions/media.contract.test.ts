/** Pictures and films over HTTP, on both databases: upload, artifacts, permissions, refusals, deletion. */
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { type As, BASE, type Newsroom, openNewsroom } from "../../../tests/support/contributions.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { filmOf } from "../../../tests/support/films.ts";
import { heicPicture, heicThatClaims } from "../../../tests/support/heic-picture.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

const NOTES = {
  IFD0: { Make: "Example", Model: "Example One" },
  IFD3: {
    GPSLatitudeRef: "N",
    GPSLatitude: "45/1 45/1 36/1",
    GPSLongitudeRef: "E",
    GPSLongitude: "4/1 50/1 24/1",
  },
};
const photograph = (width = 900, height = 600) =>
  sharp({ create: { width, height, channels: 3, background: { r: 30, g: 90, b: 160 } } });

type Artifact = {
  label: string;
  url: string;
  contentType: string;
  contentLength: number;
  width: number;
  height: number;
};
type Shown = { media: { state: string }; artifacts: Artifact[] };

onBothDatabases(
  "media of contributions",
  (instance) => {
    let room: Newsroom;
    let taken: Buffer;
    beforeAll(async () => {
      room = await openNewsroom(instance());
      taken = await photograph().withExif(NOTES).jpeg({ quality: 90 }).toBuffer();
    });
    const ok = async (sent: ReturnType<As["send"]>) => {
      const answered = await sent;
      expect(answered.status, answered.text).toBe(200);
      return answered.body;
    };
    const upload = (bytes: Uint8Array, by = room.bob) => ok(by.send("POST", "/media", bytes));
    const assign = (moderation: string) =>
      ok(room.ann.send("POST", "/assignments", { name: "The flood", moderation }));
    const contribute = (assignment: { id: string }, ...media: { id: string }[]) =>
      ok(
        room.bob.send("POST", "/contributions", {
          assignment: { id: assignment.id },
          headline: "The bridge",
          mediaUsages: media.map(({ id }) => ({ media: { id } })),
        }),
      );
    const shownTo = async (who: As, id: string): Promise<Shown[]> =>
      (await ok(who.send("GET", `/contributions/${id}`))).mediaUsages;
    const settled = (who: As, id: string): Promise<Shown[]> =>
      eventually(async () => {
        const usages = await shownTo(who, id);
        return usages.every(({ media }) => media.state !== "stored") && usages;
      }, "artifacts");

    it("knows pictures by their content, and makes every format of them", async () => {
      const sent = await upload(taken);
      expect(sent).toMatchObject({
        type: "image",
        contentType: "image/jpeg",
        width: 900,
        height: 600,
        contentLength: taken.length,
        camera: "Example One",
        place: { latLong: { latitude: 45.76, longitude: 4.84 } },
      });
      const { id } = await contribute(await assign("after"), sent);
      const [usage] = await settled(room.stranger, id);
      const formats = await ok(room.stranger.send("GET", "/artifact-formats"));
      const wanted = formats.contribution.filter(
        (format: { public: boolean; forContentType: string }) =>
          format.public && ["image/*", "image/jpeg"].includes(format.forContentType),
      );
      expect(usage?.artifacts.map(({ label }) => label).sort()).toEqual(
        wanted.map(({ label }: { label: string }) => label).sort(),
      );
      const sizes = Object.fromEntries(
        usage!.artifacts.map(({ label, width, height }) => [label, [width, height]]),
      );
      expect(sizes).toEqual({
        thumbnail: [200, 200],
        medium: [640, 427],
        large: [900, 600],
        optimised: [900, 600],
      });
      for (const { url, contentType, contentLength } of usage!.artifacts) {
        const { status, headers, bytes } = await instance().send("GET", url);
        expect([status, headers.get("content-type"), bytes.length]).toEqual([
          200,
          contentType,
          contentLength,
        ]);
        // The camera's metadata stays here.
        expect((await sharp(bytes).metadata()).exif).toBeUndefined();
      }
    });

    it("takes a form with a file as well, and every other kind", async () => {
      const form = new FormData();
      form.set("note", "from a phone");
      form.set("file", new Blob([new Uint8Array(taken)], { type: "text/plain" }), "evil.exe");
      expect(await ok(room.bob.send("POST", "/media", form))).toMatchObject({ type: "image", width: 900 });
      const kinds = [
        [await photograph(40, 30).png().toBuffer(), "image/png"],
        [await photograph(40, 30).webp().toBuffer(), "image/webp"],
        [await photograph(40, 30).gif().toBuffer(), "image/gif"],
        [filmOf(), "video/mp4"],
        [filmOf({ brand: "qt  " }), "video/quicktime"],
      ] as const;
      const assignment = await assign("after");
      for (const [bytes, contentType] of kinds) {
        const sent = await upload(bytes);
        expect(sent).toMatchObject({ contentType, type: contentType.split("/")[0] });
        const { id } = await contribute(assignment, sent);
        const [usage] = await settled(room.bob, id);
        expect(usage?.artifacts.map(({ label }) => label).sort()).toEqual([
          "large",
          "medium",
          "optimised",
          "original",
          "thumbnail",
        ]);
      }
    });

    it("takes a form that comes in many pieces, and refuses one that breaks off", async () => {
      const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
      const background = { r: 0, g: 0, b: 0 };
      const large = await sharp({ create: { width: 900, height: 900, channels: 3, background, noise } })
        .png()
        .toBuffer();
      expect(large.length).toBeGreaterThan(1_000_000);
      const form = new FormData();
      form.set("file", new Blob([new Uint8Array(large)]), "large.png");
      const whole = new Response(form);
      const type = whole.headers.get("content-type") ?? "";
      const bytes = Buffer.from(await whole.arrayBuffer());
      const send = (body: Uint8Array) =>
        instance().send("POST", `${BASE}/media`, {
          body,
          headers: { authorization: `Bearer ${room.tokens.bob}`, "content-type": type },
        });
      expect(await ok(send(bytes))).toMatchObject({ width: 900, contentLength: large.length });
      for (const length of [large.length, 1000]) {
        const { status, body } = await send(bytes.subarray(0, length));
        expect([status, body.message]).toEqual([400, expect.stringContaining("not valid")]);
      }
    });

    it("answers ranges and conditional requests", async () => {
      const { id } = await contribute(await assign("after"), await upload(taken));
      const [usage] = await settled(room.stranger, id);
      const { url } = usage!.artifacts.find(({ label }) => label === "optimised")!;
      const get = (headers: Record<string, string>) => instance().send("GET", url, { headers });
      const whole = await get({});
      const etag = whole.headers.get("etag") ?? "";
      expect(whole.headers.get("cache-control")).toBe("public, max-age=3600");
      expect(whole.headers.get("x-content-type-options")).toBe("nosniff");
      expect((await get({ "if-none-match": etag })).status).toBe(304);
      const part = await get({ range: "bytes=10-19" });
      expect([part.status, part.headers.get("content-range")]).toEqual([
        206,
        `bytes 10-19/${whole.bytes.length}`,
      ]);
      expect(part.bytes.equals(whole.bytes.subarray(10, 20))).toBe(true);
      expect((await get({ range: "bytes=-5" })).bytes.equals(whole.bytes.subarray(-5))).toBe(true);
      expect((await get({ range: `bytes=${whole.bytes.length}-` })).status).toBe(416);
      expect((await get({ range: "bytes=0-3", "if-range": '"other"' })).status).toBe(200);
      expect((await instance().send("HEAD", url)).headers.get("content-length")).toBe(
        String(whole.bytes.length),
      );
    });

    it("shows what waits for a moderator to nobody else", async () => {
      const sent = await upload(taken);
      const { id } = await contribute(await assign("before"), sent);
      const [seen] = await settled(room.ann, id);
      const path = `/media/${sent.id}/medium`;
      const statuses = async () => {
        const asked = (["account", "ann", "bob", "cleo", "stranger"] as const).map(async (name) => [
          name,
          (await room[name].send("GET", path)).status,
        ]);
        return Object.fromEntries(await Promise.all(asked));
      };
      expect(await statuses()).toEqual({ account: 200, ann: 200, bob: 200, cleo: 404, stranger: 401 });
      // A moderator gets a signed address, valid for a limited time and for this purpose only.
      const { url } = seen!.artifacts.find(({ label }) => label === "medium")!;
      expect((await instance().send("GET", url)).status).toBe(200);
      expect((await instance().send("GET", `${url.slice(0, -4)}AAAA`)).status).toBe(404);
      await ok(room.ann.send("POST", `/contributions/${id}/moderate`, { action: { id: "approve" } }));
      expect(await statuses()).toEqual({ account: 200, ann: 200, bob: 200, cleo: 200, stranger: 200 });
      const original = `/media/${sent.id}/original`;
      expect((await room.stranger.send("GET", original)).status).toBe(404);
      const kept = await room.ann.send("GET", original);
      expect([kept.status, kept.headers.get("content-disposition"), kept.bytes.equals(taken)]).toEqual([
        200,
        `attachment; filename="${sent.id}"`,
        true,
      ]);
      const [exact] = await shownTo(room.bob, id);
      const [blurred] = await shownTo(room.stranger, id);
      expect([exact?.media, blurred?.media].map((media) => media && "place" in media)).toEqual([true, false]);
    });

    it("shows pictures and the cover of an assignment to others after its embargo", async () => {
      const [shown, cover] = [await upload(taken, room.ann), await upload(taken, room.ann)];
      const { id } = await ok(
        room.ann.send("POST", "/assignments", {
          name: "Later",
          moderation: "after",
          alwaysOpen: true,
          embargo: new Date(instance().clock.nowMs() + 600_000).toISOString(),
          cover: { media: { id: cover.id } },
        }),
      );
      const body = { assignment: { id }, headline: "The bridge", mediaUsages: [{ media: { id: shown.id } }] };
      const contribution = await ok(room.ann.send("POST", "/contributions", body));
      await settled(room.ann, contribution.id);
      for (const media of [shown, cover]) {
        const asked = (who: As) => who.send("GET", `/media/${media.id}/medium`);
        await eventually(async () => (await asked(room.ann)).status === 200, "the format");
        expect([(await asked(room.bob)).status, (await asked(room.stranger)).status]).toEqual([404, 401]);
      }
      await instance().clock.advance(600_000);
      for (const { id: media } of [shown, cover])
        for (const who of [room.bob, room.stranger])
          expect((await who.send("GET", `/media/${media}/medium`)).status).toBe(200);
    });

    describe("hostile files", () => {
      const trailing = (bytes: Buffer, tail: string) => Buffer.concat([bytes, Buffer.from(tail)]);
      const EVIL = "<script>alert(1)</script>PK\x03\x04";
      it("refuses what is none of the kinds, whatever it calls itself", async () => {
        const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
        const bomb = Buffer.from(await photograph(10, 10).png().toBuffer());
        bomb.writeUInt32BE(60_000, 16);
        bomb.writeUInt32BE(60_000, 20);
        const cases: readonly (readonly [Uint8Array, RegExp])[] = [
          [Buffer.from(svg), /none that are taken/],
          [Buffer.from(`<html>${EVIL}`), /none that are taken/],
          [Buffer.from("GIF89a=1;alert(1)"), /pixels/],
          [Buffer.from("MZ\x90\0".repeat(50)), /none that are taken/],
          [bomb, /60000 x 60000 pixels/],
          [Buffer.from("ffd8ffe000104a46", "hex"), /damaged/],
          [filmOf().subarray(0, 60), /header is missing/],
        ];
        for (const [bytes, message] of cases) {
          const refused = await room.bob.send("POST", "/media", bytes);
          expect([refused.status, refused.body.fields?.[0]?.name]).toEqual([400, "media"]);
          expect(refused.body.message).toMatch(message);
        }
        const form = new FormData();
        form.set("note", "no file");
        expect((await room.bob.send("POST", "/media", form)).status).toBe(400);
        expect((await room.stranger.send("POST", "/media", taken)).status).toBe(401);
      });

      it("makes harmless what is a picture and something else, and shows as much as came of what broke off", async () => {
        const assignment = await assign("after");
        const cases = [
          trailing(taken, EVIL),
          trailing(await photograph(300, 200).png().toBuffer(), EVIL),
          taken.subarray(0, Math.floor(taken.length * 0.6)),
        ];
        for (const bytes of cases) {
          const { id } = await contribute(assignment, await upload(bytes));
          const [usage] = await settled(room.stranger, id);
          expect(usage?.media.state).toBe("ready");
          for (const { url } of usage!.artifacts) {
            const { bytes: shown } = await instance().send("GET", url);
            expect(shown.includes("<script>")).toBe(false);
          }
        }
      });

      it("takes HEIC pictures of telephones, and shows them upright without the camera's notes", async () => {
        const sent = await upload(heicPicture);
        expect(sent).toMatchObject({ width: 64, height: 96, contentType: "image/heic" });
        const { id } = await contribute(await assign("after"), sent);
        const [usage] = await settled(room.stranger, id);
        expect(usage!.media).toMatchObject({ state: "ready" });
        expect(JSON.stringify(usage)).not.toContain("Testcam");
        for (const { label, url } of usage!.artifacts) {
          const { bytes } = await instance().send("GET", url);
          const { format, width = 0, height = 0, exif } = await sharp(bytes).metadata();
          expect([format, exif]).toEqual(["jpeg", undefined]);
          if (label !== "thumbnail") expect(width / height).toBeCloseTo(64 / 96, 1);
          expect(bytes.includes("Testcam")).toBe(false);
        }
        const { url } = usage!.artifacts.find(({ label }) => label === "optimised")!;
        const { data } = await sharp((await instance().send("GET", url)).bytes)
          .raw()
          .toBuffer({ resolveWithObject: true });
        expect([...data.subarray(0, 3)].map((value) => Math.round(value / 64))).toEqual([1, 1, 3]);
        const refused = await room.bob.send("POST", "/media", heicThatClaims(10_000, 5001));
        expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("50 million")]);
      });

      it("lets nothing broken hold up a contribution: a placeholder stands for it", async () => {
        const damaged = Buffer.from(await photograph(300, 200).png().toBuffer());
        damaged.fill(0xaa, 50);
        const heic = Buffer.from(
          (await photograph(60, 40).avif().toBuffer()).toString("latin1").replace("ftypavif", "ftypheic"),
          "latin1",
        );
        heic.fill(0x55, heic.length - 40);
        const broken = [damaged, heic, heicPicture.subarray(0, 700), heicThatClaims(16, 16)];
        const media = [];
        for (const bytes of broken) media.push(await upload(bytes));
        const { id } = await contribute(await assign("after"), ...media);
        const usages = await settled(room.stranger, id);
        expect(usages.map(({ media }) => media.state)).toEqual(broken.map(() => "failed"));
        for (const { artifacts } of usages) {
          expect(artifacts.map(({ label }) => label)).toEqual(["thumbnail", "medium", "large"]);
          const { bytes } = await instance().send("GET", artifacts[0]!.url);
          expect(await sharp(bytes).metadata()).toMatchObject({ format: "jpeg", width: 200 });
        }
      });

      it("removes films' private parts", async () => {
        const film = filmOf({ location: "+48.8577+002.2950/" });
        const { id } = await contribute(await assign("after"), await upload(film));
        const [usage] = await settled(room.stranger, id);
        const { url } = usage!.artifacts.find(({ label }) => label === "optimised")!;
        const { bytes } = await instance().send("GET", url);
        expect([bytes.length, bytes.includes("48.8577")]).toEqual([film.length, false]);
      });
    });

    it("goes with its contribution", async () => {
      const sent = await upload(taken);
      const { id } = await contribute(await assign("after"), sent);
      const [usage] = await settled(room.stranger, id);
      await ok(room.bob.send("DELETE", `/contributions/${id}`));
      await eventually(
        async () => (await room.account.send("GET", `/media/${sent.id}/medium`)).status === 404,
        "the end of the picture",
      );
      expect((await instance().send("GET", usage!.artifacts[0]!.url)).status).toBe(401);
    });

    it("is removed after a day where nothing shows it, whatever comes in meanwhile", async () => {
      const kept = await upload(taken);
      await contribute(await assign("after"), kept);
      const [unused, cover] = [await upload(taken), await upload(taken)];
      const covered = await ok(
        room.account.send("POST", "/assignments", { name: "Covered", cover: { media: cover } }),
      );
      const status = async (media: { id: string }) =>
        (await room.account.send("GET", `/media/${media.id}/original`)).status;
      expect([await status(kept), await status(unused)]).toEqual([200, 200]);
      for (let times = 0; times < 4; times += 1) {
        await instance().clock.advance("12h");
        await ok(room.account.send("POST", "/media", taken));
      }
      await eventually(async () => (await status(unused)) === 404, "the end of the picture");
      expect([await status(kept), await status(cover)]).toEqual([200, 200]);
      await ok(room.account.send("POST", "/assignments", { id: covered.id, cover: null }));
      await instance().clock.advance(2 * 86_400_000);
      await eventually(async () => (await status(cover)) === 404, "the end of the cover");
    });
  },
  { services: ["identity", "contributions"] },
);
