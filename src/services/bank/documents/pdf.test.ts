/** Drawing a long document with large files leaves the main thread to others. */
import { randomBytes } from "node:crypto";
import { performance } from "node:perf_hooks";
import { expect, it } from "vitest";
import { renderPdf } from "./pdf.ts";

const columns = [{ title: "What", width: 200 }];
it("is drawn in a thread of its own, with all its rows and files", async () => {
  const bytes = randomBytes(1024 * 1024);
  const files = Array.from({ length: 10 }, (_, at) => ({
    name: `picture-${at}.png`,
    description: "",
    type: "image/png",
    bytes,
  }));
  const rows = Array.from({ length: 5000 }, (_, at) => [`row ${at}`]);
  // Not the start of the first thread.
  await renderPdf({ title: "Short", facts: [] }, 0);
  const before = performance.eventLoopUtilization();
  const drawn = await renderPdf({ title: "Long", facts: [], table: { columns, rows }, files }, 0);
  expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
  const text = drawn.toString("latin1");
  expect(text.startsWith("%PDF")).toBe(true);
  expect(text.match(/\/EmbeddedFile\b/g)).toHaveLength(10);
  expect(drawn.length).toBeGreaterThan(10 * bytes.length);
});
