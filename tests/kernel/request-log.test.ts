/** The request log under hostile requests: bounded, quick, and without secrets. */
import { expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { accounts, type Instance, onBothDatabases } from "../support/medley.ts";
import { processorMsWhile } from "../support/processor-time.ts";
import { allSamples } from "../support/sample.ts";
import { sendBytes } from "../support/send-bytes.ts";

const token = { authorization: `Bearer ${accounts.first.tokens[0]}` };

/** Reads a live log until it is aborted. */
async function listen(instance: Instance): Promise<{ text: () => string; stop: () => void }> {
  const abort = new AbortController();
  const response = await fetch(`${instance.url}/_medley/requests/stream`, {
    headers: token,
    signal: abort.signal,
  });
  let text = "";
  const reading = async () => {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>)
      text += Buffer.from(chunk).toString();
  };
  reading().catch(() => {});
  await eventually(() => text.includes(": listening"), "the stream's first sign");
  return { text: () => text, stop: () => abort.abort() };
}

onBothDatabases(
  "the request log",
  (instance) => {
    it("is not held up by an address made to be slow, neither live nor when it is read", async () => {
      const live = await listen(instance());
      const costs: number[] = [];
      for (const repeats of [600, 1200]) {
        costs.push(
          await processorMsWhile(async () => {
            const path = `/y${"?token".repeat(repeats)}`;
            await instance().send("GET", path);
            await eventually(() => live.text().includes(path), "the request in the live log");
            await instance().send("GET", "/_medley/requests?limit=1", { headers: token });
          }),
        );
      }
      live.stop();
      // Cubic growth took seconds: what is left is the work of a few requests, whatever the length.
      expect(costs[1]).toBeLessThan(8 * Math.max(costs[0] ?? 0, 20));
    });
    it("keeps a bounded part of large requests that nothing answers", async () => {
      const head = `GET /nowhere HTTP/1.1\r\nHost: x\r\nX-Large: ${"a".repeat(900_000)}\r\nConnection: close\r\n\r\n`;
      for (let index = 0; index < 10; index += 1)
        expect(await sendBytes(instance(), head)).toMatch(/^HTTP\/1.1 404/);
      const { body, text } = await instance().send("GET", "/_medley/requests?limit=10&status=404", {
        headers: token,
      });
      expect(body.requests).toHaveLength(10);
      expect(text.length).toBeLessThan(10 * 6000);
    });
  },
  { services: [], extraServices: allSamples },
);
