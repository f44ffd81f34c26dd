/** Posters by the real ffmpeg: films that it has made itself give pictures, and broken ones a drawing. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { eventually } from "../../../../tests/support/eventually.ts";
import { type Instance, startInstance } from "../../../../tests/support/medley.ts";
import { installed } from "../../../../tools/installed.mjs";
import { findFfmpegVersion, posterOf } from "./poster.ts";

let folder: string;
let program: string;
let instance: Instance;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "medley-ffmpeg-"));
  const programs = join(installed("ffmpeg"), "@ffmpeg-installer", `linux-${process.arch}`);
  program = join(programs, "ffmpeg");
  chmodSync(program, 0o755);
  vi.stubEnv("PATH", `${programs}${delimiter}${process.env.PATH}`);
  instance = await startInstance({ services: ["identity", "contributions"] });
}, 300_000);
afterAll(async () => {
  await instance?.stop();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** Black for half a second, then red. */
function filmAt(name: string, more: readonly string[] = []): string {
  const path = join(folder, name);
  const source = "color=c=red:s=320x180:d=3,drawbox=color=black:t=fill:enable='lt(t,0.5)'";
  const words = [
    "-v",
    "error",
    "-nostdin",
    "-f",
    "lavfi",
    "-i",
    source,
    "-pix_fmt",
    "yuv420p",
    ...more,
    path,
  ];
  execFileSync(program, words);
  return path;
}
const isRed = async (picture: Buffer): Promise<boolean> => {
  const { r, g, b } = (await sharp(picture).stats()).dominant;
  return r > 180 && g < 70 && b < 70;
};

it("is there, and takes a picture from a second on or from the middle", async () => {
  expect(await findFfmpegVersion()).toMatch(/^\S*\d/);
  for (const name of ["film.mp4", "film.mov", "film.webm"]) {
    const picture = await posterOf(filmAt(name), 3);
    expect([name, await isRed(picture), (await sharp(picture).metadata()).width]).toEqual([name, true, 320]);
  }
  const short = filmAt("short.mp4", ["-frames:v", "1"]);
  expect(await isRed(await posterOf(short, 0.04))).toBe(false);
});

it("follows no reference to another file", async () => {
  const list = join(folder, "list.mp4");
  const secret = filmAt("secret.mp4");
  writeFileSync(list, `ffconcat version 1.0\nfile http://127.0.0.1:9/x\nfile ${secret}\n`);
  await expect(posterOf(list, 3)).rejects.toThrow();
});

it("stands for a film that was sent, and a drawing for one that it cannot read", async () => {
  const shown = async (film: Buffer): Promise<Buffer> => {
    const { body } = await instance.bearer("POST", "/contributions/1/media", { body: film });
    return eventually(async () => {
      const { status, bytes } = await instance.bearer("GET", `/contributions/1/media/${body.id}/large`);
      return status === 200 && Buffer.from(bytes);
    }, "a poster");
  };
  const film = readFileSync(filmAt("sent.mp4", ["-movflags", "+faststart"]));
  expect(await isRed(await shown(film))).toBe(true);
  const broken = Buffer.from(film);
  broken.fill(0, broken.indexOf("mdat") + 4);
  expect(await isRed(await shown(broken))).toBe(false);
});
