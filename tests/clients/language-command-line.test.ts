/** The maker's command line (`bf luis:*`): its requests from create to delete, as it sends them, slips included. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { accounts, type Instance, startInstance } from "../support/medley.ts";

const [key = ""] = accounts.first.apiKeys;
const LESSONS = {
  luis_schema_version: "3.2.0",
  versionId: "0.1",
  name: "Desk",
  desc: "",
  culture: "en-us",
  intents: [{ name: "Greet" }, { name: "Leave" }, { name: "None" }],
  entities: [{ name: "name", roles: [] }],
  composites: [],
  closedLists: [],
  utterances: [
    { text: "hello", intent: "Greet", entities: [] },
    {
      text: "good morning Anna",
      intent: "Greet",
      entities: [{ entity: "name", startPos: 13, endPos: 16 }],
    },
    { text: "farewell", intent: "Leave", entities: [] },
    { text: "see you", intent: "Leave", entities: [] },
  ],
};

let instance: Instance;
beforeAll(async () => {
  instance = await startInstance({ services: ["language", "language-predictions"] });
});
afterAll(() => instance.stop());

async function send(method: string, path: string, body?: unknown, headers?: object): Promise<any> {
  const response = await fetch(`${instance.url}/luis${path}`, {
    method,
    headers: { "content-type": "application/json", "ocp-apim-subscription-key": key, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect(response.ok, `${method} ${path} ${response.status} ${text}`).toBe(true);
  return /^[[{"]/.test(text) ? JSON.parse(text) : text;
}
const author = (method: string, path: string, body?: unknown, headers?: object) =>
  send(method, `/authoring/v3.0-preview/apps${path}`, body, headers);

it("runs from create to delete", async () => {
  const words = { name: "Made", culture: "en-us", description: "", versionId: "0.1", usageScenario: "" };
  const made: string = await author("POST", "", words);
  const app: string = await author("POST", "/import?appName=Desk", LESSONS);
  expect(await author("GET", "/?skip=0&take=100")).toMatchObject([{ id: made }, { id: app }]);
  expect(await author("GET", `/${app}`)).toMatchObject({ name: "Desk", activeVersion: "0.1" });
  await author("PUT", `/${app}`, { name: "Desk 2", description: "x" });

  await author("POST", `/${app}/versions/0.1/train`, {});
  await eventually(async () => {
    const models: { details: { status: string } }[] = await author("GET", `/${app}/versions/0.1/train`);
    return models.every(({ details }) => ["Success", "UpToDate", "Fail"].includes(details.status));
  }, "the end of the training");
  await author("POST", `/${app}/publish`, {
    versionId: "0.1",
    isStaging: false,
    directVersionPublish: false,
  });
  await author("POST", `/${app}/publish`, { versionId: "0.1", isStaging: true });
  for (const slot of ["production", "staging"])
    expect(
      await send(
        "POST",
        `/prediction/v3.0/apps/${app}/slots/${slot}/predict?verbose=false&log=undefined&show-all-intents=true`,
        { query: "good morning Anna" },
      ),
    ).toMatchObject({ prediction: { topIntent: "Greet", entities: { name: ["Anna"] } } });
  expect(Object.keys(await author("GET", `/${app}/endpoints`))).toHaveLength(1);
  await author(
    "POST",
    `/${app}/azureaccounts`,
    { azureSubscriptionId: made, resourceGroup: "g", accountName: "n" },
    { authorization: "Bearer of-another-service" },
  );

  const exported = await author("GET", `/${app}/versions/0.1/export?format=json`);
  expect(await author("GET", `/${app}/versions/0.1/export?format=lu`)).toContain("# Greet");
  expect(await author("POST", `/${app}/versions/import?versionId=0.2`, exported)).toBe("0.2");
  // `bf luis:build` numbers the next version after the active one.
  expect(await author("GET", `/${app}`)).toMatchObject({ activeVersion: "0.2" });
  await author("POST", `/${app}/versions/0.1/clone`, { version: "0.3" });
  await author("PUT", `/${app}/versions/0.3/`, { version: "0.4" });
  expect(await author("GET", `/${app}/versions/?skip=0&take=100]`)).toMatchObject([
    { version: "0.1" },
    { version: "0.2" },
    { version: "0.4" },
  ]);
  await author("DELETE", `/${app}/versions/0.4/`);
  for (const id of [app, made]) await author("DELETE", `/${id}`);
  expect(await author("GET", "/?skip=0&take=100")).toEqual([]);
}, 60_000);
