/**
 * What users wrote comes back word for word over HTTP, whichever spelling it was written and read in: one thing of every
 * service with two spellings, named and described by words that the dialect would say otherwise.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadServices } from "../../src/app/services.ts";
import { BankCaller } from "../support/bank.ts";
import { newPerson } from "../support/bank-people.ts";
import { sendSigned } from "../support/configuration-data.ts";
import { DATA_VERSION, keysOfNewStore } from "../support/configuration-stores.ts";
import * as hsm from "../support/hardware-security-modules.ts";
import { authoring } from "../support/language.ts";
import { accounts, type Instance, type SendOptions, type Sent, startInstance } from "../support/medley.ts";
import { schedulerVersion } from "../support/scheduler.ts";
import * as machines from "../support/sql-virtual-machines.ts";

let instance: Instance;
beforeAll(async () => {
  instance = await startInstance({ recordFolder: undefined, bankRateLimit: 0, provisioningSeconds: 0 });
});
afterAll(() => instance.stop());

const SPELLINGS = ["neutral", "maker's"] as const;
type Spelling = (typeof SPELLINGS)[number];
/** Makes or replaces the thing, and answers how to read the texts again. */
type Thing = {
  readonly text: string;
  write(text: string, spelling: Spelling): Promise<(spelling: Spelling) => Promise<unknown>>;
};
async function well(sending: Promise<Sent>): Promise<any> {
  const { status, text, body } = await sending;
  expect(status, text).toBeLessThan(300);
  return body;
}
/** A thing of a resource manager: the namespaces in its path are in one spelling or the other. */
function managed(
  path: string,
  bodyOf: (text: string) => object,
  pick: (body: any) => unknown,
  before: readonly (readonly [path: string, body: object])[] = [],
): Thing {
  const send = (method: string, neutral: string, spelling: Spelling, body?: object) => {
    const isNeutral = spelling === "neutral";
    return well(
      instance.bearer(method, isNeutral ? neutral : neutral.replaceAll("Vendor.", "Microsoft."), {
        ...(body && { body }),
        headers: isNeutral ? {} : { "x-ms-client-request-id": "texts" },
      }),
    );
  };
  return {
    text: "Microsoft.Sql Vendor.Sql Microsoft.Network/virtualNetworks Vendor.Network/virtualNetworks",
    async write(text, spelling) {
      for (const [needed, body] of before) await send("PUT", needed, spelling, body);
      await send("PUT", path, spelling, bodyOf(text));
      return async (read) => pick(await send("GET", path, read));
    },
  };
}
const NAMES = "arn:aws:s3:::a arn:vendor:s3:::a AWS::S3::Bucket Vendor::S3::Bucket";
const signed = (service: string, method: string, path: string, spelling: Spelling, body?: object) =>
  well(
    instance.signed(service, method, path, {
      ...(body && { body }),
      headers: spelling === "neutral" ? {} : { "amz-sdk-request": "attempt=1" },
    }),
  );
const keyed =
  (headers: Readonly<Record<Spelling, string>>, spelling: Spelling, method: string, path: string) =>
  (options: SendOptions = {}) =>
    well(instance.apiKey(headers[spelling], method, path, options));

const OCP = { neutral: "Vendor-Subscription-Key", "maker's": "Ocp-Apim-Subscription-Key" };
const FUN = { neutral: "X-Vendor-Api-Secret", "maker's": "X-FunTranslations-Api-Secret" };
const HEADER_WORDS = "Ocp-Apim-Subscription-Key vendor-subscription-key X-FunTranslations-Api-Secret";
const COLLECTION = `/management/subscriptions/texts/resourceGroups/g/providers/Vendor.Scheduler/jobCollections/c`;
const GATEWAY = `/management/subscriptions/texts/resourceGroups/g/providers/Vendor.ApiManagement/service/shop`;
const GATEWAY_VERSION = "api-version=2019-12-01-preview";
const tagsOf = (text: string) => ({ [text.replaceAll("/", "-")]: text, "Microsoft.Sql": "Vendor.Sql" });
const hsmPlace = hsm.newPlace();
const machinePlace = machines.newPlace();
let made = 0;
const next = () => {
  made += 1;
  return made;
};

const things: Readonly<Record<string, Thing>> = {
  "api-diagnostics": managed(
    `${GATEWAY}/products/p?${GATEWAY_VERSION}`,
    (text) => ({ properties: { displayName: text, description: text } }),
    ({ properties: { displayName, description } }) => [displayName, description],
  ),
  backup: {
    text: NAMES,
    async write(text, spelling) {
      const body = { Title: text, Description: text, RecoveryPointSelection: { VaultNames: ["texts"] } };
      const { LegalHoldId } = await signed("backup", "POST", "/backup/legal-holds", spelling, body);
      return async (read) => {
        const hold = await signed("backup", "GET", `/backup/legal-holds/${LegalHoldId}`, read);
        return [hold.Title, hold.Description];
      };
    },
  },
  bank: {
    text: "bunqme-tab vendorme-tab bunq_me vendor_me",
    async write(text, spelling) {
      const person = await newPerson(() => instance);
      const makers = new BankCaller(() => instance, { makers: true });
      Object.assign(makers, { session: person.session, signs: person.signs });
      const by = (one: Spelling) => (one === "neutral" ? person : makers);
      const path = `${person.user}/monetary-account-bank`;
      await well(by(spelling).send("POST", path, { body: { currency: "EUR", description: text } }));
      return async (read) => {
        const list = JSON.stringify(await well(by(read).send("GET", path)));
        return [text, text].filter((one) => list.includes(`"description":${JSON.stringify(one)}`));
      };
    },
  },
  braille: {
    text: HEADER_WORDS,
    async write(text) {
      const path = `/braille/translate/braille?${new URLSearchParams({ text })}`;
      return async (read) => {
        const { contents } = await keyed(FUN, read, "GET", path)();
        return [contents.text, contents.text];
      };
    },
  },
  "configuration-data": {
    text: "x-ms-date x-vendor-date vnd.microsoft.a vnd.vendor.a https://azconfig.io/errors/a",
    async write(text, spelling) {
      const store = `texts-${next()}`;
      const [key] = await keysOfNewStore(instance, store);
      const path = `/configuration/${store}/kv/k?${DATA_VERSION}`;
      const send = (method: string, one: Spelling, body?: object) =>
        one === "maker's"
          ? sendSigned(instance, key, method, path, { ...(body && { body }) })
          : instance.bearer(method, path, { ...(body && { body }) });
      await well(send("PUT", spelling, { value: text, tags: { t: text } }));
      return async (read) => {
        const { value, tags } = JSON.parse((await send("GET", read)).bytes.toString());
        return [value, tags.t];
      };
    },
  },
  "configuration-stores": managed(
    "/management/subscriptions/texts/resourceGroups/g/providers/Vendor.AppConfiguration/configurationStores/texts?api-version=2019-11-01-preview",
    (text) => ({ location: "westus", sku: { name: "Standard" }, tags: tagsOf(text) }),
    ({ tags }) => tags,
  ),
  events: {
    text: NAMES,
    async write(text, spelling) {
      const name = `Texts${next()}`;
      await signed("iotevents", "POST", "/events/inputs", spelling, {
        inputName: name,
        inputDescription: text,
        inputDefinition: { attributes: [{ jsonPath: "a" }] },
        tags: [{ key: "text", value: text }],
      });
      return async (read) => {
        const { input } = await signed("iotevents", "GET", `/events/inputs/${name}`, read);
        const { inputArn, inputDescription } = input.inputConfiguration;
        const query = new URLSearchParams({ resourceArn: inputArn });
        const { tags } = await signed("iotevents", "GET", `/events/tags?${query}`, read);
        return [inputDescription, tags[0].value];
      };
    },
  },
  face: {
    text: HEADER_WORDS,
    async write(text, spelling) {
      const path = `/face/v1.0/persongroups/texts-${next()}`;
      await keyed(OCP, spelling, "PUT", path)({ body: { name: text, userData: text } });
      return async (read) => {
        const { name, userData } = await keyed(OCP, read, "GET", path)();
        return [name, userData];
      };
    },
  },
  "hardware-security-modules": managed(
    hsmPlace.at("texts"),
    (text) => hsm.bodyOf({}, { tags: tagsOf(text) }),
    ({ tags }) => tags,
  ),
  language: {
    text: HEADER_WORDS,
    async write(text, spelling) {
      const mount = "/language/luis/authoring/v3.0-preview/apps/";
      const name = `${text} ${next()}`;
      const body = { name, description: text, culture: "en-us" };
      const id = await keyed(OCP, spelling, "POST", mount)({ body });
      return async (read) => {
        const app = await keyed(OCP, read, "GET", `${mount}${id}`)();
        return [app.name.slice(0, text.length), app.description];
      };
    },
  },
  "language-predictions": {
    text: HEADER_WORDS,
    async write(text) {
      const { ok, newApp, label, train } = authoring(() => instance);
      const { app, v } = await newApp({ name: `texts ${next()}` });
      await ok("POST", `${v}/intents`, { name: "Greet" });
      await label(v, text, "Greet");
      await train(v);
      await ok("POST", `${app}/publish`, { versionId: "0.1" });
      const path = `/language/luis/prediction/v3.0${app}/slots/production/predict`;
      return async (read) => {
        const { query } = await keyed(OCP, read, "POST", path)({ body: { query: text } });
        return [query, query];
      };
    },
  },
  podcasts: {
    text: "listennotes_id",
    async write(text, spelling) {
      const keys = { neutral: "X-Vendor-Api-Key", "maker's": "X-ListenAPI-Key" };
      const path = "/podcasts/api/v2/curated_podcasts";
      const body = { title: text, description: text, source_url: "", podcast_ids: [] };
      const { id } = await keyed(keys, spelling, "POST", path)({ body });
      return async (read) => {
        const { title, description } = await keyed(keys, read, "GET", `${path}/${id}`)();
        return [title, description];
      };
    },
  },
  "resource-groups": {
    text: "AWS Vendor aws vendor TAG_FILTERS_1_0 CLOUDFORMATION_STACK_1_0",
    async write(text, spelling) {
      const Name = `texts-${next()}`;
      const ResourceQuery = { Type: "TAG_FILTERS_1_0", Query: "{}" };
      const body = { Name, Description: text, ResourceQuery, Tags: { text: NAMES } };
      const { Group } = await signed("resource-groups", "POST", "/resource-groups/groups", spelling, body);
      const arn = encodeURIComponent(Group.GroupArn);
      return async (read) => {
        const got = await signed("resource-groups", "POST", "/resource-groups/get-group", read, {
          Group: Name,
        });
        const { Tags } = await signed(
          "resource-groups",
          "GET",
          `/resource-groups/resources/${arn}/tags`,
          read,
        );
        return [got.Group.Description, Tags.text === NAMES ? text : Tags.text];
      };
    },
  },
  "resource-manager": managed(
    "/management/subscriptions/texts/resourceGroups/texts?api-version=2021-04-01",
    (text) => ({ location: "westeurope", tags: tagsOf(text) }),
    ({ tags }) => tags,
  ),
  scheduler: managed(
    `${COLLECTION}/jobs/j?${schedulerVersion}`,
    (text) => ({
      properties: {
        state: "Disabled",
        action: {
          type: "http",
          request: { uri: "http://localhost:9/", method: "POST", body: text, headers: { text } },
        },
      },
    }),
    ({ properties: { action } }) => [action.request.body, action.request.headers.text],
    [
      [
        `${COLLECTION}?${schedulerVersion}`,
        { location: "westus", properties: { sku: { name: "Standard" } } },
      ],
    ],
  ),
  "sql-databases": managed(
    "/management/subscriptions/texts/resourceGroups/g/providers/Vendor.Sql/servers/s?api-version=2017-10-01-preview",
    (text) => ({ location: "westeurope", tags: tagsOf(text) }),
    ({ tags }) => tags,
  ),
  "sql-virtual-machines": managed(
    machinePlace.path("sqlVirtualMachineGroups/g"),
    (text) => machines.groupBody({}, { tags: tagsOf(text) }),
    ({ tags }) => tags,
  ),
  unpack: {
    text: "output result matched_yara_rules",
    async write(text) {
      const rule = `rule output { meta: output = "${text}" strings: $a = "matched_yara_rules" condition: $a }`;
      return async (read) => {
        const body = new FormData();
        body.append("file", new Blob(["a matched_yara_rules"]), "texts.exe");
        body.append("rules", Buffer.from(rule).toString("base64"));
        const base = read === "neutral" ? "/unpack/v1" : "/unpack/v1/restful4up";
        const applied = await well(instance.send("POST", `${base}/apply-yara-rules`, { body }));
        const { matches } = applied.result ?? applied.output;
        const [{ name, value }] = matches[0].meta;
        return [name === "output" ? value : name, value];
      };
    },
  },
  voice: {
    text: "CloudWatchLogsDestination-LogsDestination",
    async write(text, spelling) {
      const set = `${text}-${next()}`;
      const path = `/voice/v1/sms-voice/configuration-sets`;
      await signed("sms-voice", "POST", path, spelling, { ConfigurationSetName: set });
      const TopicArn = `arn:vendor:topics:us-east-1:${accounts.first.id}:calls`;
      const topic = { TopicArn };
      await signed("sms-voice", "POST", `${path}/${set}/event-destinations`, spelling, {
        EventDestinationName: text,
        EventDestination: {
          Enabled: true,
          MatchingEventTypes: ["ANSWERED"],
          ...(spelling === "neutral" ? { TopicDestination: topic } : { SnsDestination: topic }),
        },
      });
      return async (read) => {
        const { ConfigurationSets } = await signed("sms-voice", "GET", path, read);
        const { EventDestinations } = await signed(
          "sms-voice",
          "GET",
          `${path}/${set}/event-destinations`,
          read,
        );
        return [
          ConfigurationSets.find((one: string) => one === set).slice(0, text.length),
          EventDestinations[0].Name,
        ];
      };
    },
  },
};

describe("what users wrote comes back word for word", () => {
  it("is tried for every service with two spellings", async () => {
    const spoken = (await loadServices()).filter(({ dialects = [] }) => dialects.length > 0);
    expect(Object.keys(things)).toEqual(spoken.map(({ name }) => name).sort());
  });
  it.each(Object.entries(things))("%s", async (_service, { text, write }) => {
    for (const written of SPELLINGS) {
      const read = await write(text, written);
      const [neutral, makers] = [await read("neutral"), await read("maker's")];
      expect(Array.isArray(neutral) ? neutral : Object.keys(neutral as object)).not.toEqual([]);
      const expected = Array.isArray(neutral) ? [text, text] : tagsOf(text);
      expect([neutral, makers], `written in the ${written} spelling`).toEqual([expected, expected]);
    }
  });
});
