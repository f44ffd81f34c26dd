/**
 * Programs of the maker's users. No client library exists: scripts ask the public addresses, which end in `.json`, without
 * a key. Only the address is changed. `tests/browser/braille-page.test.ts` does it from a page.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { accounts, type Instance, startInstance } from "../support/medley.ts";

let instance: Instance;
beforeAll(async () => {
  instance = await startInstance({ services: ["braille"] });
});
afterAll(() => instance.stop());

it.each(["", "/dots", "/unicode", "/html", "/image"])(
  "/translate/braille%s has both public addresses",
  async (form) => {
    const ask = async (suffix: string, init: RequestInit = {}) => {
      const query = init.method === "POST" ? "" : "?text=Hello";
      const answer = await fetch(`${instance.url}/braille/translate/braille${form}${suffix}${query}`, init);
      const type = answer.headers.get("content-type");
      expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
      return { type, text: await answer.text() };
    };
    const headers = { accept: "application/xml" };
    const json = await ask(".json", { headers });
    expect(json.type).toBe("application/json");
    expect(JSON.parse(json.text).contents.text).toBe("Hello");
    const posted = await ask(".json", { method: "POST", body: new URLSearchParams({ text: "Hello" }) });
    expect(posted.text).toBe(json.text);
    expect(await ask(".xml")).toMatchObject({ type: "application/xml; charset=utf-8" });
    await ask(".xml", { method: "POST", body: new URLSearchParams({ text: "Hello" }) });
  },
);

it("strangers are served on this machine alone, with texts that cost little", async () => {
  const path = "/braille/translate/braille.json?text=Hello";
  const elsewhere = await startInstance({ services: ["braille"], publicUrl: "https://braille.example.org" });
  const headers = { "x-funtranslations-api-secret": accounts.first.apiKeys[0] as string };
  expect((await elsewhere.send("GET", path)).status).toBe(401);
  expect((await elsewhere.send("GET", path, { headers })).status).toBe(401);
  expect((await elsewhere.send("GET", path.replace(".json", ""), { headers })).status).toBe(200);
  await elsewhere.stop();
  const led = await instance.send("GET", path, { headers: { host: "pages.example.org" } });
  expect(led.body).toEqual({ error: { code: 401, message: expect.stringMatching(/^Unauthorized: /) } });
  expect((await instance.send("GET", "/braille/translate/braille.json")).status).toBe(400);
  const ofLength = async (length: number) =>
    (await instance.send("POST", "/braille/translate/braille.json", { body: { text: "a".repeat(length) } }))
      .status;
  expect([await ofLength(10_000), await ofLength(10_001)]).toEqual([200, 401]);
});
