/** Exports over HTTP, on both databases: counted, written, downloaded and unpacked, each file compared byte by byte. */
import sharp from "sharp";
import { beforeAll, expect, it } from "vitest";
import { unzip } from "../../../tests/support/archives.ts";
import { type As, type Newsroom, openNewsroom } from "../../../tests/support/contributions.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

onBothDatabases(
  "exports of contributions",
  (instance) => {
    let room: Newsroom;
    let assignment: string;
    const pictures: Buffer[] = [];
    const ids: string[] = [];
    const ok = async (sent: ReturnType<As["send"]>, status = 200) => {
      const answered = await sent;
      expect(answered.status, answered.text).toBe(status);
      return answered.body;
    };
    beforeAll(async () => {
      room = await openNewsroom(instance());
      assignment = (
        await ok(room.ann.send("POST", "/assignments", { name: "The flood", moderation: "before" }))
      ).id;
      for (let i = 0; i < 4; i += 1) {
        const picture = await sharp({
          create: { width: 300 + i, height: 200, channels: 3, background: { r: 40 * i, g: 90, b: 160 } },
        })
          .jpeg()
          .toBuffer();
        pictures.push(picture);
        const media = await ok(room.bob.send("POST", "/media", picture));
        const { id } = await ok(
          room.bob.send("POST", "/contributions", {
            assignment: { id: assignment },
            headline: `Brücke ${i}/CON: <"über" *?>`,
            body: `Text ${i}\nwith a second line`,
            attribution: "Bob Example",
            mediaUsages: [{ media: { id: media.id } }],
          }),
        );
        ids.push(id);
        if (i < 3)
          await ok(room.ann.send("POST", `/contributions/${id}/moderate`, { action: { id: "approve" } }));
      }
      await eventually(async () => {
        const shown = await Promise.all(ids.map((id) => ok(room.ann.send("GET", `/contributions/${id}`))));
        return shown.every((one) => one.mediaUsages[0].media.state === "ready");
      }, "artifacts");
    }, 120_000);

    const fetchExport = async (who: As, query: string) => {
      const begun = await ok(who.send("POST", `/export?assignment=${assignment}&${query}`), 202);
      expect([begun.finished, begun.downloadUrl, typeof begun.progress]).toEqual([
        undefined,
        undefined,
        "number",
      ]);
      const done = await eventually(async () => {
        const now = await ok(who.send("GET", `/exports/${begun.id}`));
        return now.finished !== undefined && now;
      }, "the end of the export");
      expect([done.step, done.progress]).toEqual(["done", 100]);
      const archive = await instance().send("GET", done.downloadUrl);
      expect([archive.status, archive.headers.get("content-type")]).toEqual([200, "application/zip"]);
      return { done, archive, files: await unzip(archive.bytes) };
    };

    it("tells truly how much there is", async () => {
      const summary = await ok(room.ann.send("POST", `/export-summary?assignment=${assignment}`));
      expect(summary).toMatchObject({ contributions: 4, media: 4 });
      const { files } = await fetchExport(room.ann, "format=fullsize&combined=false");
      const bytes = [...files.values()].reduce((sum, { length }) => sum + length, 0);
      expect(summary.totalMediaSize).toBe(bytes);
      expect(await ok(room.cleo.send("POST", `/export-summary?assignment=${assignment}`))).toMatchObject({
        contributions: 3,
        media: 3,
      });
      expect((await room.stranger.send("POST", `/export-summary?assignment=${assignment}`)).status).toBe(401);
    });

    it("holds texts, raw JSON and originals, each as it is elsewhere", async () => {
      const { files } = await fetchExport(
        room.ann,
        "combined=true&individual=true&json=true&format=original",
      );
      const names = [...files.keys()];
      expect(names.filter((name) => !/^[A-Za-z0-9./-]{1,120}$/.test(name))).toEqual([]);
      expect(names.map((name) => name.split("/")[0]).sort()).toEqual(
        ["contributions.txt", ...["json", "media", "texts"].flatMap((one) => [one, one, one, one])].sort(),
      );
      const combined = files.get("contributions.txt")?.toString() ?? "";
      for (const [i, id] of ids.entries()) {
        const find = (folder: string) =>
          names.find((name) => name.startsWith(`${folder}/`) && name.includes(id)) ?? "";
        expect(files.get(find("media"))?.equals(pictures[i]!)).toBe(true);
        const text = files.get(find("texts"))?.toString() ?? "";
        expect(text).toContain(`Text ${i}\nwith a second line`);
        expect(text).toContain(`File: ${find("media")}`);
        expect(combined).toContain(text);
        const shown = await ok(room.ann.send("GET", `/contributions/${id}`));
        expect(JSON.parse(files.get(find("json"))?.toString() ?? "")).toEqual(shown);
      }
      // The newest comes first.
      expect(combined.indexOf("Text 3")).toBeLessThan(combined.indexOf("Text 0"));
    });

    it("gives everybody what they may see and no more", async () => {
      const { files } = await fetchExport(room.cleo, "json=true&format=original");
      const names = [...files.keys()];
      expect(names.filter((name) => name.startsWith("json/"))).toHaveLength(3);
      expect(names.some((name) => name.includes(ids[3]!))).toBe(false);
      // Owner and moderator get the original; others get the public artifact.
      for (const name of names.filter((one) => one.startsWith("media/")))
        expect(pictures.some((picture) => picture.equals(files.get(name)!))).toBe(false);
      expect([...files.values()].some((bytes) => bytes.includes("ipAddress"))).toBe(false);
    });

    it("tags pictures with headline and author, and leaves them out where they are not wanted", async () => {
      const { files } = await fetchExport(room.ann, "format=tagged&combined=false");
      for (const bytes of files.values()) {
        const { exif, width } = await sharp(bytes).metadata();
        expect(exif?.includes("Bob Example")).toBe(true);
        expect(width).toBeGreaterThanOrEqual(300);
      }
      expect([...(await fetchExport(room.ann, "format=none")).files.keys()]).toEqual(["contributions.txt"]);
      expect(
        [...(await fetchExport(room.ann, "format=none&q=nothing-like-it")).files.values()].join(""),
      ).toBe("");
    });

    it("is kept while it is one of the twenty latest of its owner", async () => {
      const begun: string[] = [];
      for (let count = 0; count < 21; count += 1) {
        const { id } = await ok(room.cleo.send("POST", "/export?urlWords=none&format=none"), 202);
        begun.push(id);
        await eventually(
          async () => (await ok(room.cleo.send("GET", `/exports/${id}`))).finished !== undefined,
          "the end of the export",
        );
      }
      const status = async (at: number) => (await room.cleo.send("GET", `/exports/${begun[at]}`)).status;
      await eventually(async () => (await status(0)) === 404, "the end of the oldest");
      expect([await status(1), await status(20)]).toEqual([200, 200]);
    });

    it("is fetched by its own address alone, in parts, for an hour", async () => {
      const { done, archive } = await fetchExport(room.ann, "format=none");
      const part = await instance().send("GET", done.downloadUrl, { headers: { range: "bytes=5-9" } });
      expect([part.status, part.bytes.equals(archive.bytes.subarray(5, 10))]).toEqual([206, true]);
      expect((await instance().send("GET", `${done.downloadUrl.slice(0, -3)}AAA`)).status).toBe(404);
      const other = done.downloadUrl.replace(done.id, ids[0]);
      expect((await instance().send("GET", other)).status).toBe(404);
      expect((await room.bob.send("GET", `/exports/${done.id}`)).status).toBe(404);
      expect((await room.stranger.send("GET", `/exports/${done.id}`)).status).toBe(401);
      await instance().clock.advance(61 * 60_000);
      expect((await instance().send("GET", done.downloadUrl)).status).toBe(404);
      const again = await ok(room.account.send("GET", `/exports/${done.id}`));
      expect((await instance().send("GET", again.downloadUrl)).status).toBe(200);
      await instance().clock.advance(8 * 86_400_000);
      await eventually(
        async () => (await room.account.send("GET", `/exports/${done.id}`)).status === 404,
        "the end of the export",
      );
    });

    it("refuses what makes no sense", async () => {
      for (const query of ["format=everything", "combined=perhaps", "radius=-1", "latLong=north"])
        expect((await room.account.send("POST", `/export?${query}`)).status, query).toBe(400);
    });
  },
  { services: ["identity", "contributions"] },
);
