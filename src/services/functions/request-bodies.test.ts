/** How long the body of a request to a function is: the last byte that fits, and the first that does not. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { Functions } from "../../../tests/support/functions.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";
import { isFirstPart } from "../../../tests/support/test-part.ts";

let instance: Instance;
const functions = new Functions(() => instance);
beforeAll(async () => {
  instance = await startInstance({ services: ["functions"] });
});
afterAll(() => instance.stop());

it.skipIf(isFirstPart())("32 MiB of a request", async () => {
  const source = "exports.long = (request, response) => response.send(String(request.rawBody.length));";
  const url = await functions.running("long", { source });
  const sent = async (bytes: number) => {
    const { status, text } = await functions.call(url, { method: "PUT", body: Buffer.alloc(bytes) });
    return [status, text];
  };
  expect(await sent(33_554_432)).toEqual([200, "33554432"]);
  expect((await sent(33_554_433))[0]).toBe(413);
});
