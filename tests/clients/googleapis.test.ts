/** The maker's general client, googleapis: it knows functions by their REST interface alone. It is installed on first use. */
import { expect, it } from "vitest";
import { load } from "../../tools/installed.mjs";
import { eventually } from "../support/eventually.ts";
import { zipOf } from "../support/functions.ts";
import { accounts, onBothDatabases } from "../support/medley.ts";

const { google } = load("googleapis", "googleapis");
const SOURCE = "exports.greet = (request, response) => response.send(process.env.GREETING);";

onBothDatabases("the maker's general client", (instance) => {
  it("deploys, lists and deletes a function", async () => {
    const auth = new google.auth.OAuth2();
    auth.setCredentials({ access_token: accounts.second.tokens[0] as string });
    const { projects } = google.cloudfunctions({ version: "v2", auth, rootUrl: `${instance().url}/` });
    const { functions, operations } = projects.locations;
    const place = "projects/other/locations/europe-west1";
    const { data: upload } = await functions.generateUploadUrl({ parent: place, requestBody: {} });
    await fetch(String(upload.uploadUrl), {
      method: "PUT",
      headers: { "content-type": "application/zip" },
      body: new Uint8Array(await zipOf({ "index.js": SOURCE })),
    });
    const begun = await functions.create({
      parent: place,
      functionId: "greeter",
      requestBody: {
        buildConfig: {
          runtime: "nodejs20",
          entryPoint: "greet",
          source: { storageSource: upload.storageSource! },
        },
        serviceConfig: { environmentVariables: { GREETING: "Hi" } },
      },
    });
    const ended = await eventually(async () => {
      const { data } = await operations.get({ name: String(begun.data.name) });
      return data.done === true && data;
    });
    expect(ended.response).toMatchObject({ state: "ACTIVE" });
    const { data: listed } = await functions.list({ parent: place, pageSize: 10 });
    expect(listed.functions?.map((one: { name: string }) => one.name)).toEqual([
      `${place}/functions/greeter`,
    ]);
    const { data: policy } = await functions.getIamPolicy({
      resource: `${place}/functions/greeter`,
      "options.requestedPolicyVersion": 3,
    });
    expect(policy.bindings).toEqual([]);
    const { data: latest } = await operations.list({ name: place, filter: "project:other,latest:true" });
    expect(latest.operations).toHaveLength(1);
    await functions.delete({ name: `${place}/functions/greeter` });
    await eventually(
      async () => ((await functions.list({ parent: place })).data.functions ?? []).length === 0,
    );
  });
});
