/** What signed-in people may do with functions: only what the policy of a function grants them. */
import { beforeAll, expect, it } from "vitest";
import { Functions, PLACE } from "../../../tests/support/functions.ts";
import { obtainTokens, registerClient } from "../../../tests/support/identity-browser.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

const HELLO = "exports.hello = (request, response) => response.send('hello');";

onBothDatabases(
  "people at functions",
  (instance) => {
    const functions = new Functions(instance);
    let token = "";
    beforeAll(async () => {
      await functions.create("hello", { source: HELLO });
      const client = await registerClient(instance(), { scope: "*" });
      token = (await obtainTokens(instance(), client, { scope: "openid *" })).access_token;
    });

    const name = functions.nameOf("hello");
    /** None of them changes anything, whoever asks. */
    const asked: readonly (readonly [string, string, unknown?])[] = [
      ["GET", name],
      ["GET", `${name}/logs`],
      ["GET", `${name}/figures`],
      ["GET", `${name}:getIamPolicy`],
      ["POST", `${name}:generateDownloadUrl`, {}],
      ["POST", `${name}:setIamPolicy`, { policy: { version: 7 } }],
      ["PATCH", `${name}?updateMask=labels`, { labels: { "": "" } }],
      ["GET", `${PLACE}/functions`],
      ["GET", `${PLACE}/operations`],
      ["POST", `${PLACE}/functions?functionId=other`, { buildConfig: {} }],
      ["POST", `${PLACE}/functions:generateUploadUrl`, {}],
    ];
    const statuses = async () => {
      const all: Record<string, boolean> = {};
      for (const [method, path, body] of asked) {
        const headers = { authorization: `Bearer ${token}` };
        const { status } = await instance().send(method, `/functions/v2/${path}`, {
          headers,
          ...(body !== undefined && { body }),
        });
        all[`${method} ${path.replace(`${PLACE}/`, "")}`] = status !== 403;
      }
      return Object.keys(all).filter((one) => all[one]);
    };
    const READS = ["GET functions/hello", "GET functions/hello/logs", "GET functions/hello/figures"];

    it("is nothing without a policy", async () => {
      expect(await statuses()).toEqual([]);
    });
    it("shows an operation to whom the policy of its function lets read operations", async () => {
      const { body } = await functions.send("GET", `${PLACE}/operations?filter=project:demo,latest:true`);
      const headers = { authorization: `Bearer ${token}` };
      const read = async () =>
        (await instance().send("GET", `/functions/v2/${body.operations[0].name}`, { headers })).status;
      expect(await read()).toBe(403);
      const members = ["allAuthenticatedUsers"];
      await functions.setPolicy("hello", [{ role: "roles/cloudfunctions.viewer", members }]);
      expect(await read()).toBe(200);
      await functions.setPolicy("hello", []);
    });
    it.each([
      ["roles/cloudfunctions.viewer", READS],
      [
        "roles/cloudfunctions.developer",
        [
          ...READS,
          "GET functions/hello:getIamPolicy",
          "POST functions/hello:generateDownloadUrl",
          "PATCH functions/hello?updateMask=labels",
        ],
      ],
    ])("is what the role %s has", async (role, allowed) => {
      await functions.setPolicy("hello", [{ role, members: ["allAuthenticatedUsers"] }]);
      expect(await statuses()).toEqual(allowed);
    });
  },
  { services: ["identity", "functions"] },
);
