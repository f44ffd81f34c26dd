/** The newest log lines of a function are kept, up to a maximum number. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../../../tests/support/eventually.ts";
import { Functions } from "../../../tests/support/functions.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";

const LINES_MAX = 5000;

const LINES_A_CALL = 1000;
const SOURCE = `exports.talks = (request, response) => {
  for (let line = 0; line < ${LINES_A_CALL}; line += 1) console.log("call " + request.query.call + " line " + line);
  response.send("said");
};`;

let instance: Instance;
const functions = new Functions(() => instance);
beforeAll(async () => {
  instance = await startInstance({ services: ["functions"] });
});
afterAll(() => instance?.stop());

it("the oldest lines go", async () => {
  const url = await functions.running("talks", { source: SOURCE });
  const kept = async () =>
    (await instance.bearer("GET", "/_medley/state?service=functions")).text
      .split("\n")
      .filter((row) => row.includes('"table":"functions_log"'));
  const calls = (2 * LINES_MAX) / LINES_A_CALL;
  for (let call = 1; call <= calls; call += 1) {
    expect((await functions.call(`${url}?call=${call}`)).text).toBe("said");
    // Lines that arrive too fast are dropped, so the next call waits for the lines of this one.
    const last = `call ${call} line ${LINES_A_CALL - 1}`;
    await eventually(async () => (await functions.lines("talks")).some(({ text }) => text === last), last);
  }
  const rows = await kept();
  expect(rows.length).toBeGreaterThanOrEqual(LINES_MAX);
  expect(rows.length).toBeLessThan(calls * LINES_A_CALL);
  expect(rows.some((row) => row.includes('"call 1 line 0"'))).toBe(false);
  expect(rows.some((row) => row.includes(`"call ${calls} line ${LINES_A_CALL - 1}"`))).toBe(true);
}, 120_000);
