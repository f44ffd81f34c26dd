/** Predictions with the public runtime client, as its users run it, in both spellings of the key's header. */
import { LUISRuntimeClient } from "@azure/cognitiveservices-luis-runtime";
import { ApiKeyCredentials } from "@azure/ms-rest-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { accounts, type Instance, startInstance } from "../support/medley.ts";

const AUTHORING = "/language/luis/authoring/v3.0-preview";
const GONE = "00000000-0000-4000-8000-000000000000";
const LU = `
# BookFlight
- book a flight to {city=Cairo}
- i want to fly to {city=Oslo}
- fly to {city=Rome} please
- get me a ticket to {city=Lima}
- a flight to {city=Quito} please
# Greet
- hello
- hi there
- good morning
- hey you
- good evening
@ ml city
`;

let instance: Instance;
let app = "";
const [key = ""] = accounts.first.apiKeys;

async function call(method: string, path: string, body?: unknown, type = "application/json"): Promise<any> {
  const response = await fetch(`${instance.url}${AUTHORING}${path}`, {
    method,
    headers: { "ocp-apim-subscription-key": key, ...(body !== undefined && { "content-type": type }) },
    ...(body !== undefined && { body: type === "application/json" ? JSON.stringify(body) : String(body) }),
  });
  expect(response.ok, `${method} ${path} ${response.status}`).toBe(true);
  return response.json();
}

beforeAll(async () => {
  instance = await startInstance({ services: ["language", "language-predictions"] });
  app = await call("POST", "/apps/import?appName=Desk", LU, "text/plain");
  const { activeVersion } = await call("GET", `/apps/${app}`);
  const version = `/apps/${app}/versions/${activeVersion}`;
  await call("POST", `${version}/train`);
  await eventually(async () => {
    const models: { details: { status: string } }[] = await call("GET", `${version}/train`);
    return models.every(({ details }) => !["Queued", "InProgress"].includes(details.status));
  }, "the end of the training");
  for (const isStaging of [true, false])
    await call("POST", `/apps/${app}/publish`, { versionId: activeVersion, isStaging });
}, 120_000);
afterAll(() => instance.stop());

describe.each(["Ocp-Apim-Subscription-Key", "Vendor-Subscription-Key"])("with %s", (header) => {
  const client = (): LUISRuntimeClient => {
    const credentials = new ApiKeyCredentials({ inHeader: { [header]: key } });
    const made = new LUISRuntimeClient(credentials, instance.url);
    // A path in the endpoint would swallow the interface's own.
    (made as unknown as { baseUri: string }).baseUri = `${instance.url}/language/luis/prediction/v3.0`;
    return made;
  };

  it("asks a slot and a version", async () => {
    const query = "please book a flight to Berlin";
    const bySlot = await client().prediction.getSlotPrediction(
      app,
      "production",
      { query },
      { verbose: true, showAllIntents: true, log: true },
    );
    expect(bySlot.query).toBe(query);
    expect(bySlot.prediction.topIntent).toBe("BookFlight");
    expect(Object.keys(bySlot.prediction.intents).sort()).toEqual(["BookFlight", "Greet", "None"]);
    expect(bySlot.prediction.entities.city).toEqual(["Berlin"]);
    const { activeVersion } = await call("GET", `/apps/${app}`);
    const byVersion = await client().prediction.getVersionPrediction(app, activeVersion, {
      query: "hello you",
    });
    expect(byVersion.prediction.topIntent).toBe("Greet");
    expect(byVersion.prediction.intents.Greet?.score).toBeGreaterThan(0.5);
  });

  it("is told what is wrong", async () => {
    await expect(
      client().prediction.getSlotPrediction(GONE, "production", { query: "hi" }),
    ).rejects.toMatchObject({
      statusCode: 404,
      body: { error: { code: "NotFound" } },
    });
  });
});

it("asks at the root as well", async () => {
  const credentials = new ApiKeyCredentials({ inHeader: { "Ocp-Apim-Subscription-Key": key } });
  const client = new LUISRuntimeClient(credentials, instance.url);
  const { prediction } = await client.prediction.getSlotPrediction(app, "staging", { query: "good morning" });
  expect(prediction.topIntent).toBe("Greet");
});
