/** An answer that cannot be written harms no other. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { AnswerWriter } from "./respond.ts";
import { SlowReaders } from "./slow-readers.ts";

it("answers 500 where an answer cannot be written, and writes the others", async () => {
  const failures: unknown[] = [];
  const slowReaders = new SlowReaders({ timeoutMs: 1000, bytesMax: 1_000_000 });
  const writer = new AnswerWriter(slowReaders, (error) => failures.push(error));
  const server = createServer((request, response) => {
    const headers: Record<string, string> = request.url === "/broken" ? { "x-line": "a\nb" } : {};
    const outgoing = { status: 200, contentType: undefined, headers: {}, body: "well" };
    writer.write({ request, response, headers, outgoing });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const answers = await Promise.all(["/broken", "/whole", "/broken"].map((path) => fetch(url + path)));
  expect(await Promise.all(answers.map(async (one) => [one.status, await one.text()]))).toEqual([
    [500, ""],
    [200, "well"],
    [500, ""],
  ]);
  expect(failures.map(String)).toEqual([
    expect.stringContaining("Invalid character"),
    expect.stringContaining("Invalid character"),
  ]);
  await new Promise((resolve) => server.close(resolve));
});
