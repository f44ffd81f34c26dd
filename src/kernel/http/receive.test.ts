/** A body that is here already when it is asked for is held against the limit like any other. */
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { receiveBytes } from "./receive.ts";

/** As a request is whose body came with its head. */
function arrived(bytes: number): IncomingMessage {
  const request = new Readable({ read() {} });
  request.push(Buffer.alloc(bytes, "x"));
  request.push(null);
  return Object.assign(request, { complete: true, headers: {} }) as unknown as IncomingMessage;
}
it.each([
  [99, 99],
  [100, 100],
  [101, "larger than the 100 bytes"],
])("of %d bytes where 100 may be", async (bytes, outcome) => {
  const taken: number[] = [];
  const received = (async () => receiveBytes(arrived(bytes), 100, (size) => taken.push(size)))();
  if (typeof outcome === "number") {
    expect((await received).length).toBe(outcome);
    expect(taken).toEqual([outcome]);
  } else {
    await expect(received).rejects.toThrow(outcome);
    expect(taken).toEqual([]);
  }
});
