/**
 * What a request costs beside a bare server that does the same necessary work (bench/bare-server.mjs), in turns of a fraction
 * of a second. `npm run bench -- bare [--against <checkout>] [--only <beginning of a name>]`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { getSqliteDriver } from "../../dist/kernel/db/sqlite-driver.js";
import { apiKey, startProcess, startServer, token } from "../load.mjs";
import { startPostgres } from "../postgres.mjs";
import { ask, json, signed, textsOf } from "../requests.mjs";
import { inRounds, isUnsteady, microsOf, perSecondOf, ratioOf, shown } from "../rounds.mjs";
import { makePeople, paymentOf, publicKey } from "./bank.mjs";
import { Caller as EventCaller, makeDetectors, makeModel, bodyOf as messagesOf } from "./events.mjs";
import { deployWarm } from "./functions.mjs";
import { putApi } from "./gateway.mjs";
import { accessTokenOf } from "./identity.mjs";

const ROUNDS = 20;
const bearer = { authorization: `Bearer ${token}`, ...json };
const note = JSON.stringify({ text: "a note of ordinary length, as people write them" });
const STORE =
  "/management/subscriptions/bench/resourceGroups/bench/providers/Vendor.AppConfiguration/configurationStores/bench-store?api-version=2019-11-01-preview";
const store = JSON.stringify({ location: "westus", sku: { name: "Standard" } });
const query = {
  Type: "TAG_FILTERS_1_0",
  Query: JSON.stringify({
    ResourceTypeFilters: ["AWS::AllSupported"],
    TagFilters: [{ Key: "stage", Values: ["bench"] }],
  }),
};
let made = 0;
const groupBody = () => JSON.stringify({ Name: `bench-${process.pid}-${++made}`, ResourceQuery: query });

/**
 * Each prepares one product and returns the request: `headers` are a function of the address where they sign it, and `body`
 * is one where each request has its own.
 */
const lines = {
  insert: {
    title: "durable insert of a note",
    goal: 0.75,
    status: 201,
    prepare: () => ({
      method: "POST",
      path: "/sample-key/notes",
      headers: { "x-vendor-key": apiKey, ...json },
      body: note,
    }),
  },
  groupCreate: {
    title: "signed creation of a resource group",
    goal: 0.65,
    prepare: () => signed("resource-groups", "POST", "/resource-groups/groups", groupBody),
  },
  storePut: {
    title: "PUT of a configuration store",
    goal: 0.65,
    async prepare(product) {
      const request = { method: "PUT", path: STORE, headers: bearer, body: store };
      await ask(product, request);
      return request;
    },
  },
  contribution: {
    title: "contribution without media",
    goal: 0.65,
    async prepare(product) {
      const body = JSON.stringify({ name: "Street life", moderation: "after" });
      const path = "/contributions/1/assignments";
      const { id } = await ask(product, { method: "POST", path, headers: bearer, body });
      return {
        method: "POST",
        path: "/contributions/1/contributions",
        headers: bearer,
        body: JSON.stringify({ assignment: { id }, headline: "The water is still rising in the old town" }),
      };
    },
  },
  event: {
    title: "signed put of one event message, with its evaluation",
    goal: 0.65,
    async prepare(product) {
      const caller = new EventCaller(product.url);
      await makeModel(caller);
      await makeDetectors(caller);
      return {
        ...signed("iotevents", "POST", "/events/inputs/messages", () => messagesOf(1)),
        settle: () => caller.untilEvaluated(),
      };
    },
  },
  payment: {
    title: "signed payment",
    goal: 0.7,
    async prepare(product) {
      const [from, to] = await makePeople(product, 2);
      return paymentOf(from, to);
    },
  },
  gateway: {
    title: "gateway call",
    goal: 0.75,
    async prepare(product, { raw }) {
      await putApi(product, raw, "plain");
      return { path: "/gateway/bench/plain/get" };
    },
    bare: ({ raw }) => startProcess(new URL("../bare-proxy.mjs", import.meta.url), raw.url),
  },
  vault: {
    title: "describe-vault, signed read",
    goal: 0.75,
    async prepare(product) {
      await ask(product, signed("backup", "PUT", "/backup/backup-vaults/bench", "{}"));
      return signed("backup", "GET", "/backup/backup-vaults/bench");
    },
  },
  groupRead: {
    title: "signed read of a group",
    goal: 0.75,
    async prepare(product) {
      const body = JSON.stringify({ Name: "bench", ResourceQuery: query });
      await ask(product, signed("resource-groups", "POST", "/resource-groups/groups", body));
      return signed(
        "resource-groups",
        "POST",
        "/resource-groups/get-group",
        JSON.stringify({ GroupName: "bench" }),
      );
    },
  },
  storeRead: {
    title: "GET of a store",
    goal: 0.75,
    async prepare(product) {
      await ask(product, { method: "PUT", path: STORE, headers: bearer, body: store });
      return { path: STORE, headers: bearer };
    },
  },
  userinfo: {
    title: "userinfo",
    goal: 0.75,
    async prepare(product) {
      const authorization = `Bearer ${await accessTokenOf(product)}`;
      return { path: "/identity/userinfo", headers: { authorization } };
    },
  },
  function: {
    title: "warm call of a function, beside a bare handler",
    goal: 0.55,
    async prepare(product) {
      const { host, pathname } = new URL(await deployWarm(product));
      return { path: pathname, headers: { host } };
    },
    bare: ({ raw }) => ({ ...raw, stop() {} }),
  },
};

/** Beside the product, with a copy of its data. */
async function startBare(name, product, data, request) {
  const answer = await ask(product, request);
  const file = join(data, `bare-${name}.db`);
  const source = getSqliteDriver().open(join(data, "medley.db"));
  source.exec(`VACUUM INTO '${file}'`);
  source.close();
  const options = { file, publicKey, name, answer };
  return startProcess(new URL("../bare-server.mjs", import.meta.url), JSON.stringify(options));
}

function rowsOf({ title, goal }, turns) {
  const { byProcessor, byClock } = ratioOf(turns.product, turns.bare);
  const told = (name) =>
    `${name} ${microsOf(turns[name]).toFixed(0)} µs, ${Math.round(perSecondOf(turns[name]))}/s`;
  const clock = isUnsteady(byClock) ? `${shown(byClock)}, unsteady` : shown(byClock);
  const rows = [
    {
      line: title,
      value: `${Object.keys(turns).map(told).join("; ")}; by processor ${shown(byProcessor)}, by clock ${clock}`,
      ratio: byProcessor.middle,
      target: goal,
      isUnsteady: isUnsteady(byProcessor),
      short: [
        title,
        ...["bare", "product"].map((name) => `${microsOf(turns[name]).toFixed(0)} µs`),
        shown(byProcessor),
      ],
    },
  ];
  if (!turns.against) return rows;
  const { byProcessor: gain, byClock: quicker } = ratioOf(turns.product, turns.against);
  const value = `processor time ${shown(gain)}, clock ${shown(quicker)}`;
  return [...rows, { line: `${title}: other version's cost to ours`, value, ratio: gain.middle }];
}

async function measureLine(name, line, servers) {
  const { raw, product, against, data } = servers;
  const request = await line.prepare(product, servers);
  const others = against && (await line.prepare(against, servers));
  const start = servers.startBare ?? startBare;
  const bare = line.bare ? await line.bare(servers) : await start(name, product, data, request);
  try {
    const { status, settle } = { ...line, ...request };
    const isPlain = line.bare !== undefined;
    const bareRequest = isPlain ? { path: "/get" } : request;
    const rawRequest = { method: request.method, path: "/", headers: json, body: request.body };
    const turn = (server, own, more) => ({ ...server, next: textsOf(server, own), ...more });
    const rawStatus = (request.method ?? "GET") === "GET" ? 200 : 201;
    return await inRounds(
      {
        raw: turn(raw, rawRequest, { status: rawStatus }),
        bare: turn(bare, bareRequest, { status: isPlain ? 200 : status }),
        product: turn(product, request, { status, settle }),
        ...(against && { against: turn(against, others, { status, settle: others.settle }) }),
      },
      ROUNDS,
    );
  } finally {
    bare.stop();
  }
}

/** `only`: lines whose name begins so. */
export async function* bareLines({ raw }, { checkout, only = "" }) {
  const data = mkdtempSync(join(tmpdir(), "medley-bench-"));
  const product = await startServer("product", { data, logLevel: "silent" });
  const against = checkout && (await startOther(checkout, data));
  try {
    for (const [name, line] of Object.entries(lines))
      if (name.startsWith(only))
        yield* rowsOf(line, await measureLine(name, line, { raw, product, against, data }));
  } finally {
    product.stop();
    against?.stop();
    rmSync(data, { recursive: true, force: true });
  }
  if (!checkout) yield* postgresLines(raw, only);
}
const POSTGRES_LINES = ["insert", "groupCreate", "storePut", "contribution"];
const POSTGRES_GOAL = 0.5;
/** The creates once more, beside a bare server on the same PostgreSQL. Its own processes do not count. */
async function* postgresLines(raw, only) {
  const names = POSTGRES_LINES.filter((name) => `postgres-${name}`.startsWith(only));
  if (names.length === 0) return;
  const data = mkdtempSync(join(tmpdir(), "medley-bench-"));
  const postgres = await startPostgres();
  const product = await startServer("product", { data, database: postgres.url, logLevel: "silent" });
  const startBare = async (name, _product, _data, request) => {
    const options = { url: postgres.url, name, answer: await ask(product, request) };
    return startProcess(new URL("../bare-postgres.mjs", import.meta.url), JSON.stringify(options));
  };
  try {
    for (const name of names) {
      const line = { ...lines[name], title: `on PostgreSQL: ${lines[name].title}`, goal: POSTGRES_GOAL };
      yield* rowsOf(line, await measureLine(name, line, { raw, product, data, startBare }));
    }
  } finally {
    product.stop();
    await postgres.stop();
    rmSync(data, { recursive: true, force: true });
  }
}
function startOther(checkout, data) {
  const file = new URL("bench/server.mjs", pathToFileURL(`${checkout}/`));
  return startProcess(file, "product", JSON.stringify({ data: join(data, "against"), logLevel: "silent" }));
}
