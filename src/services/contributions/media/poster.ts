/** A picture out of a film, by the `ffmpeg` of the machine where there is one. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);
const TIMEOUT_MS = 20_000;
const PICTURE_BYTES_MAX = 32 * 1024 * 1024;
/** Films often begin in the dark. */
const AT_SECONDS_MAX = 1;

export async function findFfmpegVersion(): Promise<string | undefined> {
  try {
    const { stdout } = await run("ffmpeg", ["-version"], { timeout: TIMEOUT_MS });
    return /^ffmpeg version (\S+)/.exec(stdout)?.[1] ?? "unknown";
  } catch {
    return undefined;
  }
}

/** It reads that file alone: whatever a film names is not followed. */
export async function posterOf(path: string, durationSeconds: number): Promise<Buffer> {
  const { stdout } = await run(
    "ffmpeg",
    [
      ...["-v", "error", "-nostdin", "-protocol_whitelist", "file", "-ss"],
      String(Math.min(AT_SECONDS_MAX, durationSeconds / 2)),
      ...["-i", `file:${path}`, "-frames:v", "1", "-f", "image2pipe", "-c:v", "mjpeg", "-q:v", "3", "pipe:1"],
    ],
    { timeout: TIMEOUT_MS, maxBuffer: PICTURE_BYTES_MAX, encoding: "buffer" },
  );
  if (stdout.length === 0) throw new Error("the film gives no picture");
  return stdout;
}
