/** What the system counts for a function's process, at each isolation level, and how long a body may be in Python. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Functions } from "../../../tests/support/functions.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";
import { isFirstPart } from "../../../tests/support/test-part.ts";
import { findPython } from "./running/python.ts";
import { findLevel, LEVELS, type Level, userIdOf } from "./running/sandbox.ts";

const LIMITS = `
const fs = require("node:fs");
exports.limits = (request, response) => {
  const { userLimits } = process.report.getReport();
  let places = {};
  try {
    for (const place of ["/tmp", "/dev/shm"]) {
      const { blocks, bsize } = fs.statfsSync(place);
      places[place] = blocks * bsize;
    }
  } catch { places = "none"; }
  const { open_files, max_user_processes, file_size_blocks, core_file_size_blocks } = userLimits;
  response.json({ open_files, max_user_processes, file_size_blocks, core_file_size_blocks, places });
};`;
const LONG = `
def long(request):
    return str(len(request.get_data()))
`;
const isThere = (check: Promise<unknown>) =>
  check.then(
    (found) => found !== undefined,
    () => false,
  );
const working: Level[] = [];
for (const level of LEVELS)
  if (await isThere(findLevel(userIdOf(0), level).then(() => level))) working.push(level);
const hasPython = await isThere(findPython());

describe.each(working)("a function shut in by %s", (level) => {
  let instance: Instance;
  const functions = new Functions(() => instance);
  beforeAll(async () => {
    instance = await startInstance({ services: ["functions"], functionsIsolation: level } as never);
  });
  afterAll(() => instance.stop());

  it("has 1,024 open files, 128 processes, files of 256 MiB, and places in memory of 256 MiB", async () => {
    for (const [id, availableMemory, bytes] of [
      ["more", "512Mi", 268_435_456],
      ["less", "128Mi", 134_217_728],
    ] as const) {
      const service = { availableMemory };
      const url = await functions.running(id, { source: LIMITS, entryPoint: "limits", service });
      const { body } = await functions.call(url);
      const both = (most: number) => ({ soft: most, hard: most });
      expect(body).toEqual({
        open_files: both(1024),
        max_user_processes: both(128),
        file_size_blocks: both(268_435_456),
        core_file_size_blocks: both(0),
        places: level === "bubblewrap" ? { "/tmp": bytes, "/dev/shm": bytes } : expect.anything(),
      });
    }
  });
  it.skipIf(isFirstPart() || !hasPython || level === "permissions")(
    "32 MiB of a request in Python",
    async () => {
      const source = { "main.py": LONG };
      const url = await functions.running("long", {
        source,
        runtime: "python311",
        service: { availableMemory: "512M" },
      });
      const sent = async (bytes: number) => {
        const { status, text } = await functions.call(url, { method: "PUT", body: Buffer.alloc(bytes) });
        return [status, text];
      };
      expect(await sent(33_554_432)).toEqual([200, "33554432"]);
      expect((await sent(33_554_433))[0]).toBe(413);
    },
  );
});
