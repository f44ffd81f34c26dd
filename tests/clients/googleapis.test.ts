/** The maker's general client, googleapis: it knows functions by their REST interface alone. It is installed on first use. */
import { expect, it } from "vitest";
import { load } from "../../tools/installed.mjs";
import { eventually } from "../support/eventually.ts";
import { zipOf } from "../support/functions.ts";
import { accounts, onBothDatabases } from "../support/medley.ts";

const { google } = load("googleapis", "googleapis");
const SOURCE = "exports.greet = (request, response) => response.send(process.env.GREETING);";

onBothDatabases("the maker's general client", (instance) => {
  it("deploys, lists, reroutes and deletes a function", async () => {
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
    const { services } = google.run({ version: "v2", auth, rootUrl: `${instance().url}/` }).projects
      .locations;
    const name = `${place}/services/greeter`;
    const next = await functions.patch({
      name: `${place}/functions/greeter`,
      updateMask: "serviceConfig.allTrafficOnLatestRevision,serviceConfig.environmentVariables",
      requestBody: {
        serviceConfig: { allTrafficOnLatestRevision: false, environmentVariables: { GREETING: "Hey" } },
      },
    });
    await eventually(async () => (await operations.get({ name: String(next.data.name) })).data.done === true);
    const { data: before } = await services.get({ name });
    expect(before.traffic).toEqual([
      { type: "TRAFFIC_TARGET_ALLOCATION_TYPE_REVISION", revision: "greeter-00001", percent: 100 },
    ]);
    const { data: revisions } = await services.revisions.list({ parent: name });
    const [newest] = revisions.revisions.map((one: { name: string }) => one.name.split("/").at(-1));
    const { data: rerouted } = await services.patch({
      name,
      updateMask: "traffic",
      requestBody: {
        traffic: [
          { type: "TRAFFIC_TARGET_ALLOCATION_TYPE_REVISION", revision: newest, percent: 100 },
          { type: "TRAFFIC_TARGET_ALLOCATION_TYPE_REVISION", revision: "greeter-00001", tag: "old" },
        ],
      },
    });
    expect(rerouted).toMatchObject({ done: true, response: { trafficStatuses: [{ revision: newest }, {}] } });
    const headers = { authorization: `Bearer ${accounts.second.tokens[0]}` };
    const { uri, trafficStatuses } = (await services.get({ name })).data;
    const answers = await Promise.all(
      [uri, trafficStatuses[1].uri].map(async (url) => (await fetch(url, { headers })).text()),
    );
    expect(answers).toEqual(["Hey", "Hi"]);
    await functions.delete({ name: `${place}/functions/greeter` });
    await eventually(
      async () => ((await functions.list({ parent: place })).data.functions ?? []).length === 0,
    );
  });
});
