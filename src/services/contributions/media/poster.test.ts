import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { findFfmpegVersion, posterOf } from "./poster.ts";

/** Stands for a program of the machine: prints the file beside it where it is asked for what it has. */
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
