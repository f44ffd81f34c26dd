/**
 * A function whose deployment fails because of the server has an unknown state. The next change resolves it.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../../../tests/support/eventually.ts";
import { Functions } from "../../../tests/support/functions.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";

let instance: Instance;
const functions = new Functions(() => instance);
const { TMPDIR } = process.env;
const setTemporaryFolder = (folder: string | undefined): void => {
  if (folder === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = folder;
};
beforeAll(async () => {
  instance = await startInstance({ services: ["functions"] });
});
afterAll(async () => {
  setTemporaryFolder(TMPDIR);
  await instance.stop();
});

it("is UNKNOWN after the last try, and ACTIVE after an update that can be done", async () => {
  const body = await functions.bodyOf("stranded", { source: "exports.stranded = (q, s) => s.send('here');" });
  setTemporaryFolder("/nowhere/at/all");
  const begun = await functions.send("POST", `${functions.place}/functions?functionId=stranded`, { body });
  const ended = await eventually(async () => {
    await instance.clock.advance("1h");
    const { body: operation } = await functions.send("GET", begun.body.name);
    return operation.done && operation;
  }, "the end of the deployment");
  setTemporaryFolder(TMPDIR);
  expect(ended.error).toMatchObject({ code: 13, message: "The function could not be deployed." });
  const stranded = (await functions.send("GET", functions.nameOf("stranded"))).body;
  expect([stranded.state, stranded.stateMessages[0].type]).toEqual(["UNKNOWN", "Internal"]);

  const update = await functions.send("PATCH", functions.nameOf("stranded"), {
    body: { labels: { tried: "again" } },
  });
  expect((await functions.ended(update)).response.state).toBe("ACTIVE");
  const { text } = await functions.call(await functions.urlOf("stranded"), {
    headers: { authorization: `Bearer ${functions.token}` },
  });
  expect(text).toBe("here");
});
