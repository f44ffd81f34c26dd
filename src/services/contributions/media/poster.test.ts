/** Posters of films, with a replacement for ffmpeg: called directly and by the service. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import sharp from "sharp";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { readConfig } from "#kernel/config";
import { eventually } from "../../../../tests/support/eventually.ts";
import { filmOf } from "../../../../tests/support/films.ts";
import { startInstance } from "../../../../tests/support/medley.ts";
import { manifest } from "../manifest.ts";
import { findFfmpegVersion, posterOf } from "./poster.ts";

/** Replaces a program of the machine: prints the file beside it when called with these arguments. */
const program = (pattern: string) => `#!/bin/sh
case "$*" in
  *-version*) echo "ffmpeg version 7.1-example Copyright" ;;
  *"${pattern}"*) cat "$(dirname "$0")/picture" ;;
esac
`;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "medley-poster-"));
  writeFileSync(join(folder, "picture"), "a picture");
  vi.stubEnv("PATH", `${folder}${delimiter}${process.env.PATH}`);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});
const onlyAt = (pattern: string) => writeFileSync(join(folder, "ffmpeg"), program(pattern), { mode: 0o755 });
const poster = async (seconds: number) => (await posterOf("film.mp4", seconds)).toString();

it("takes a picture from a second on, or from the middle of what is shorter", async () => {
  onlyAt("-ss 1 ");
  expect(await findFfmpegVersion()).toBe("7.1-example");
  const [films] = (await manifest.check?.(readConfig({}, {}))) ?? [];
  expect(films).toEqual({ what: "films", note: "ffmpeg 7.1-example makes the preview pictures of films" });
  expect(await poster(10)).toBe("a picture");
  onlyAt("-ss 0.25 ");
  expect(await poster(0.5)).toBe("a picture");
});

it("takes the first one of films that have a single picture, or whose header says too much", async () => {
  onlyAt("-ss 0 ");
  expect([await poster(10), await poster(0.04), await poster(0)]).toEqual(Array(3).fill("a picture"));
});

it("says so where there is none", async () => {
  onlyAt("-nothing ");
  await expect(posterOf("film.mp4", 10)).rejects.toThrow("the film gives no picture");
});

it("stands for a film, and a drawing stands for one that gives none; what is too large is refused", async () => {
  const red = sharp({ create: { width: 320, height: 180, channels: 3, background: "#ff0000" } });
  await red.jpeg().toFile(join(folder, "picture"));
  onlyAt("-ss 1 ");
  const instance = await startInstance({
    services: ["identity", "contributions"],
    contributionsMediaMb: 1,
  });
  try {
    const send = (body: Buffer) => instance.bearer("POST", "/contributions/1/media", { body });
    const settled = async (film: Buffer) => {
      const { body } = await send(film);
      return eventually(async () => {
        const shown = await instance.bearer("GET", `/contributions/1/media/${body.id}/large`);
        return shown.status === 200 && (await sharp(shown.bytes).stats()).dominant;
      }, "a poster");
    };
    const isRed = ({ r, g, b }: { r: number; g: number; b: number }) => r > 200 && g < 60 && b < 60;
    expect(isRed(await settled(filmOf({ seconds: 10 })))).toBe(true);
    onlyAt("-nothing ");
    expect(isRed(await settled(filmOf({ seconds: 10 })))).toBe(false);
    const refused = await send(filmOf({ pictures: Buffer.alloc(1024 * 1024) }));
    expect([refused.status, refused.body.message]).toEqual([
      400,
      "It is larger than the 1048576 bytes that are taken here.",
    ]);
  } finally {
    await instance.stop();
  }
});
