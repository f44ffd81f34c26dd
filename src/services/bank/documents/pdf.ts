/** Documents on paper. A worker thread draws them: a long one with many files takes seconds. */
import { createWorkerPool, type Metered, meteredMs, newThreadMeter, workerFile } from "#kernel/workers";

export type Column = { readonly title: string; readonly width: number; readonly align?: "right" };
export type Sheet = {
  readonly title: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly table?: { readonly columns: readonly Column[]; readonly rows: readonly (readonly string[])[] };
  readonly totals?: readonly (readonly [label: string, value: string])[];
  readonly closing?: string;
  /** Files that are attached to the PDF. */
  readonly files?: readonly AttachedFile[];
};
export type AttachedFile = {
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly bytes: Uint8Array;
};
export type DrawTask = { readonly sheet: Sheet; readonly nowMs: number };
export type Drawn = { readonly bytes: Uint8Array };

const PROCESSOR_MS_MAX = 60_000;
const workers = createWorkerPool<Metered<DrawTask>, Drawn>({
  file: workerFile(import.meta.url, "services/bank/documents/pdf-worker.js"),
  name: "run",
  timeoutMs: PROCESSOR_MS_MAX,
  spentMs: ({ meter }, elapsedMs) => meteredMs(meter, elapsedMs),
});

export async function renderPdf(sheet: Sheet, nowMs: number): Promise<Buffer> {
  const { bytes } = await workers.run({ sheet, nowMs, meter: newThreadMeter() });
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
