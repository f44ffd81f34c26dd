/** What is kept on disk: it outlives a restart. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makePackedExecutable } from "../../../tests/support/executables.ts";
import { startInstance } from "../../../tests/support/medley.ts";
import { sendFile } from "../../../tests/support/unpack.ts";

it("keeps what it knows over a restart, and seeds a packed program of its own", async () => {
  const data = mkdtempSync(join(tmpdir(), "medley-unpack-"));
  const packed = makePackedExecutable();
  const before = await startInstance({ services: ["unpack"], data });
  const seeded = await before.bearer("POST", "/_medley/seed", { as: "first" });
  expect(seeded.status).toBeLessThan(300);
  const first = await sendFile(before, "/unpack", packed);
  expect(first.headers.get("x-unpack-cache")).toBe("hit");
  await before.stop();
  const after = await startInstance({ services: ["unpack"], data });
  const second = await sendFile(after, "/unpack", packed);
  expect(second.headers.get("x-unpack-cache")).toBe("hit");
  expect(second.bytes.equals(first.bytes)).toBe(true);
  await after.stop();
  rmSync(data, { recursive: true, force: true });
});
