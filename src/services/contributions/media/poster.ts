/** A frame of a film, by the `ffmpeg` of the machine if there is one. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);
const TIMEOUT_MS = 20_000;
const PICTURE_BYTES_MAX = 32 * 1024 * 1024;
/** Not the first frame: films often begin in the dark. */
const AT_SECONDS_MAX = 1;

export async function findFfmpegVersion(): Promise<string | undefined> {
  try {
    const { stdout } = await run("ffmpeg", ["-version"], { timeout: TIMEOUT_MS });
    return /^ffmpeg version (\S+)/.exec(stdout)?.[1] ?? "unknown";
  } catch {
    return undefined;
  }
}

/** It reads this file only, and follows no reference in the film. */
async function findPicture(path: string, atSeconds: number): Promise<Buffer | undefined> {
  const { stdout } = await run(
    "ffmpeg",
    [
      ...["-v", "error", "-nostdin", "-protocol_whitelist", "file", "-ss", String(atSeconds)],
      ...["-i", `file:${path}`, "-frames:v", "1", "-f", "image2pipe", "-c:v", "mjpeg", "-q:v", "3", "pipe:1"],
    ],
    { timeout: TIMEOUT_MS, maxBuffer: PICTURE_BYTES_MAX, encoding: "buffer" },
  );
  return stdout.length === 0 ? undefined : stdout;
}

/** Fallback to the first frame: for films with one picture, or with a wrong duration in the header. */
export async function posterOf(path: string, durationSeconds: number): Promise<Buffer> {
  const picture =
    (await findPicture(path, Math.min(AT_SECONDS_MAX, durationSeconds / 2))) ?? (await findPicture(path, 0));
  if (!picture) throw new Error("the film gives no picture");
  return picture;
}
