/** A day with functions, told by the maker's own client, unmodified. */
import { v2 } from "@google-cloud/functions";
import { GoogleAuth, OAuth2Client } from "google-auth-library";
import { afterAll, expect, it } from "vitest";
import { zipOf } from "../support/functions.ts";
import { accounts, onBothDatabases } from "../support/medley.ts";

const parent = "projects/story/locations/us-central1";
const name = `${parent}/functions/greeter`;
const SOURCE = `const functions = require("@google-cloud/functions-framework");
functions.http("greet", (request, response) => response.send(process.env.GREETING + ", " + (request.query.name ?? "you")));`;

onBothDatabases("the maker's client", (instance) => {
  let made: v2.FunctionServiceClient | undefined;
  const client = () => {
    const authClient = new OAuth2Client();
    authClient.setCredentials({ access_token: accounts.first.tokens[0] as string });
    const { hostname, port } = new URL(instance().url);
    made ??= new v2.FunctionServiceClient({
      fallback: true,
      protocol: "http",
      apiEndpoint: hostname,
      port: Number(port),
      auth: new GoogleAuth({ authClient }) as never,
    });
    return made;
  };
  afterAll(() => made?.close());

  it("deploys, calls, changes, opens and deletes a function", async () => {
    const [runtimes] = await client().listRuntimes({ parent });
    expect(runtimes.runtimes?.some((runtime) => runtime.name === "nodejs20")).toBe(true);
    const [{ uploadUrl, storageSource }] = await client().generateUploadUrl({ parent });
    const sent = await fetch(String(uploadUrl), {
      method: "PUT",
      headers: { "content-type": "application/zip" },
      body: new Uint8Array(await zipOf({ "index.js": SOURCE })),
    });
    expect(sent.status).toBe(200);
    const source = { storageSource: storageSource! };
    const [creating] = await client().createFunction({
      parent,
      functionId: "greeter",
      function: {
        description: "Greets.",
        environment: "GEN_2",
        buildConfig: { runtime: "nodejs20", entryPoint: "greet", source },
        serviceConfig: { environmentVariables: { GREETING: "Hello" }, availableMemory: "128M" },
      },
    });
    const [created] = await creating.promise();
    expect(created).toMatchObject({ name, description: "Greets." });
    const token = { authorization: `Bearer ${accounts.first.tokens[0]}` };
    const uri = String(created.serviceConfig?.uri);
    expect(await (await fetch(`${uri}?name=Ann`, { headers: token })).text()).toBe("Hello, Ann");

    const [found] = await client().getFunction({ name });
    expect(found.state).toBe("ACTIVE");
    expect(found.serviceConfig).toMatchObject({ availableMemory: "128M", timeoutSeconds: 60 });
    const [all] = await client().listFunctions({
      parent: "projects/story/locations/-",
      filter: 'state = "ACTIVE"',
      orderBy: "name",
    });
    expect(all.map((one) => one.name)).toEqual([name]);

    const [updating] = await client().updateFunction({
      function: { name, serviceConfig: { environmentVariables: { GREETING: "Good day" } } },
      updateMask: { paths: ["service_config.environment_variables"] },
    });
    const [updated] = await updating.promise();
    expect(updated.serviceConfig?.environmentVariables).toEqual({ GREETING: "Good day" });
    expect(updated.description).toBe("Greets.");

    expect((await fetch(uri)).status).toBe(401);
    await client().setIamPolicy({
      resource: name,
      policy: { bindings: [{ role: "roles/cloudfunctions.invoker", members: ["allUsers"] }] },
    } as never);
    const [policy] = await client().getIamPolicy({ resource: name } as never);
    expect(policy.bindings).toMatchObject([{ role: "roles/cloudfunctions.invoker", members: ["allUsers"] }]);
    expect(await (await fetch(uri)).text()).toBe("Good day, you");
    const [allowed] = await client().testIamPermissions({
      resource: name,
      permissions: ["cloudfunctions.functions.invoke"],
    } as never);
    expect(allowed.permissions).toEqual(["cloudfunctions.functions.invoke"]);

    const [{ downloadUrl }] = await client().generateDownloadUrl({ name });
    expect((await fetch(String(downloadUrl))).headers.get("content-type")).toBe("application/zip");
    const locations: string[] = [];
    for await (const location of client().listLocationsAsync({ name: "projects/story" }))
      locations.push(String(location.locationId));
    expect(locations).toContain("us-central1");
    const [location] = (await client().getLocation({ name: parent })) as unknown as [{ displayName: string }];
    expect(location.displayName).toBe("Iowa");

    const [canary] = await client().updateFunction({
      function: {
        name,
        serviceConfig: { allTrafficOnLatestRevision: false, environmentVariables: { GREETING: "Later" } },
      },
      updateMask: {
        paths: ["service_config.all_traffic_on_latest_revision", "service_config.environment_variables"],
      },
    });
    const [waiting] = await canary.promise();
    expect(waiting.serviceConfig).toMatchObject({
      allTrafficOnLatestRevision: false,
      revision: "greeter-00003",
    });
    expect(await (await fetch(uri)).text()).toBe("Good day, you");

    const [deleting] = await client().deleteFunction({ name });
    await deleting.promise();
    await expect(client().getFunction({ name })).rejects.toMatchObject({ code: 5 });
  });
  it("gets errors that it knows", async () => {
    await expect(client().createFunction({ parent, functionId: "no", function: {} })).rejects.toMatchObject({
      code: 3,
    });
    await expect(client().getFunction({ name: `${parent}/functions/none` })).rejects.toMatchObject({
      code: 5,
    });
  });
});
