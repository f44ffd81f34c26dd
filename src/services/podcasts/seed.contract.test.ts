/** Demo data: there once, and heard without another server. */
import { expect, it } from "vitest";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import { Directory } from "../../../tests/support/podcasts.ts";

onBothDatabases(
  "demo data",
  (instance) => {
    const directory = new Directory(instance);
    const seed = async () =>
      (await instance().bearer("POST", "/_medley/seed", { body: {} })).body.made[0].rows;
    const episodes = async () => (await directory.read("/search?q=compost&type=episode")).results;

    it("is there once", async () => {
      expect(await seed()).toBeGreaterThan(100);
      expect(await seed()).toBe(0);
    });
    it("has sound of its own, of the length that is told, at every address that names it", async () => {
      const [found] = await episodes();
      const { audio, audio_length_sec } = await directory.read(`/episodes/${found.id}`);
      expect(audio).toBe(found.audio);
      expect(audio).toMatch(new RegExp(`^${instance().url}/podcasts/api/v2/listen/\\d{12}/tunes/`));
      const page = await (await fetch(found.vendor_url)).text();
      expect(page).toContain(`src="${audio}"`);
      const whole = await fetch(audio);
      expect(whole.headers.get("content-type")).toBe("audio/wav");
      const bytes = Buffer.from(await whole.arrayBuffer());
      expect((bytes.length - 44) / bytes.readUInt32LE(28)).toBe(audio_length_sec);
      const part = await fetch(audio, { headers: { range: "bytes=1000000-1000099" } });
      expect(part.status).toBe(206);
      expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(1_000_000, 1_000_100))).toBe(true);
      const known = await fetch(audio, { headers: { "if-none-match": whole.headers.get("etag") as string } });
      expect(known.status).toBe(304);
      expect((await fetch(audio, { headers: { range: "bytes=99999999999-" } })).status).toBe(416);
    });
    it("has no tune for what is not there", async () => {
      const [{ audio }] = await episodes();
      const { status } = await fetch(`${audio.slice(0, -8)}00000000`);
      expect(status).toBe(404);
    });
  },
  { services: ["podcasts"] },
);
