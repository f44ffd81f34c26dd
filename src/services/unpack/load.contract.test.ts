/** Under load: other services answer while executables are emulated, and nobody's uploads pile up. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { makePackedExecutable } from "../../../tests/support/executables.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";
import { sendFile } from "../../../tests/support/unpack.ts";

const LOOPS = 4_000_000;
/** Counts for a while before it unpacks anything; each is another file. */
const busyExecutable = (number: number): Buffer => {
  const count = LOOPS + number;
  const bytes = [count & 0xff, (count >>> 8) & 0xff, (count >>> 16) & 0xff, count >>> 24];
  return makePackedExecutable({ prologue: [0xb9, ...bytes, 0xe2, 0xfe] });
};

let instance: Instance;
beforeAll(async () => {
  instance = await startInstance({ services: ["unpack", "braille"] });
});
afterAll(() => instance?.stop());

it("other services answer meanwhile, and each file gets its own answer", async () => {
  let isDone = false;
  const unpacking = Promise.all(
    Array.from({ length: 4 }, (_, number) => sendFile(instance, "/unpack", busyExecutable(number))),
  ).finally(() => {
    isDone = true;
  });
  let answered = 0;
  while (!isDone) {
    const { status } = await instance.apiKey("x-vendor-api-secret", "GET", "/braille/tables");
    expect(status).toBe(200);
    answered += 1;
  }
  const answers = await unpacking;
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  // One that had to wait for an emulation would have been answered a few times.
  expect(answered).toBeGreaterThan(40);
});

it("one caller has so many waiting and no more; what is refused may come again", async () => {
  const sent = Array.from({ length: 24 }, (_, number) =>
    sendFile(instance, "/unpack", busyExecutable(100 + number)),
  );
  const statuses = (await Promise.all(sent)).map(({ status, headers }) => {
    if (status === 429) expect(headers.get("retry-after")).toBe("5");
    return status;
  });
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect((await sendFile(instance, "/unpack", busyExecutable(100))).status).toBe(200);
});
