/**
 * The product beside other makers' programs, in turns in the same run: `npm run bench -- peers [--only <beginning of a name>]`.
 * A ratio says how many times as much the peer costs. They keep what they are told in memory, the product on disk.
 */
import { apiKey } from "../load.mjs";
import { startPeer } from "../peers/start.mjs";
import { ask, json, signed, textsOf } from "../requests.mjs";
import { inRounds, isUndecided, microsOf, perSecondOf, ratioOf, shown } from "../rounds.mjs";
import { accessTokenOf, bodyFor, FORM, prepareExchanges } from "./identity.mjs";
import { peerBackupLines, peerLanguageLines } from "./peers-programs.mjs";

const ROUNDS = 20;
/** Every code works once, so there are fewer rounds of them. */
const CODES = 12_000;
const CODE_ROUNDS = 8;
const CODE_WARM_UP = 2000;
const PEER_CLIENT = { client_id: "bench", client_secret: "bench-secret-of-ordinary-length" };
const PEER_REDIRECT = "https://client.example/answer";
const note = JSON.stringify({ text: "a note of ordinary length, as people write them" });

/** Each prepares both servers and returns their requests. */
const lines = {
  userinfo: {
    title: "userinfo beside oidc-provider",
    peer: "oidc-provider",
    goal: 2,
    async prepare(product, peer) {
      const [body] = await peerForms(peer, 1);
      const { access_token } = await ask(peer, { method: "POST", path: "/token", headers: FORM, body });
      const bearing = (token) => ({ headers: { authorization: `Bearer ${token}` } });
      return {
        product: { path: "/identity/userinfo", ...bearing(await accessTokenOf(product)) },
        peer: { path: "/me", ...bearing(access_token) },
      };
    },
  },
  exchange: {
    title: "token exchange, ES256, beside oidc-provider",
    peer: "oidc-provider",
    goal: 2,
    rounds: CODE_ROUNDS,
    warmUpRequests: CODE_WARM_UP,
    async prepare(product, peer) {
      const { client, codes } = await prepareExchanges(product.url, "ES256", CODES);
      const own = codes.map((code) => bodyFor(client, code));
      const theirs = await peerForms(peer, CODES);
      const exchange = (path, forms) => ({ method: "POST", path, headers: FORM, body: () => forms.pop() });
      return { product: exchange("/identity/token", own), peer: exchange("/token", theirs) };
    },
  },
  create: {
    title: "create of a note beside json-server",
    peer: "json-server",
    goal: 1,
    status: 201,
    prepare: () => ({
      product: {
        method: "POST",
        path: "/sample-key/notes",
        headers: { "x-vendor-key": apiKey, ...json },
        body: note,
      },
      peer: { method: "POST", path: "/notes", headers: json, body: note },
    }),
  },
  signedCreate: {
    title: "signed create beside dynalite, which checks no signature",
    peer: "dynalite",
    status: { product: 201, peer: 200 },
    async prepare(_product, peer) {
      await makeTable(peer);
      return {
        product: signed("sample", "POST", "/sample-signed/notes", note),
        peer: dynamo("PutItem", { Item: { id: { S: "bench" }, text: { S: note } } }),
      };
    },
  },
  signedRead: {
    title: "signed read beside dynalite, which checks no signature",
    peer: "dynalite",
    async prepare(product, peer) {
      await ask(product, signed("sample", "PUT", "/sample-signed/notes/bench", note));
      await makeTable(peer);
      await ask(peer, dynamo("PutItem", { Item: { id: { S: "bench" }, text: { S: note } } }));
      return {
        product: signed("sample", "GET", "/sample-signed/notes/bench"),
        peer: dynamo("GetItem", { Key: { id: { S: "bench" } } }),
      };
    },
  },
};

async function peerForms({ url }, count) {
  const codes = await (await fetch(`${url}/codes/${count}`)).json();
  return codes.map((code) => bodyFor(PEER_CLIENT, code, PEER_REDIRECT));
}
function dynamo(operation, members) {
  const body = JSON.stringify({ TableName: "notes", ...members });
  const request = signed("dynamodb", "POST", "/", body);
  const own = {
    "content-type": "application/x-amz-json-1.0",
    "x-amz-target": `DynamoDB_20120810.${operation}`,
  };
  return { ...request, headers: (base, text) => ({ ...request.headers(base, text), ...own }) };
}
async function makeTable(peer) {
  const key = {
    AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
    KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
    BillingMode: "PAY_PER_REQUEST",
  };
  await ask(peer, dynamo("CreateTable", key));
  for (;;) {
    const { Table } = await ask(peer, dynamo("DescribeTable", {}));
    if (Table.TableStatus === "ACTIVE") return;
  }
}

async function measureLine(
  { title, peer: name, goal, status, rounds = ROUNDS, warmUpRequests, prepare },
  product,
) {
  const peer = await startPeer(name);
  if (!peer) return { line: title, value: "not installed" };
  try {
    const requests = await prepare(product, peer);
    const turn = (server, kind) => ({
      ...server,
      next: textsOf(server, requests[kind]),
      status: status?.[kind] ?? status,
    });
    const loads = { product: turn(product, "product"), peer: turn(peer, "peer") };
    const turns = await inRounds(loads, rounds, { warmUpRequests });
    const { byProcessor, byClock } = ratioOf(turns.product, turns.peer);
    const told = (kind) =>
      `${microsOf(turns[kind]).toFixed(0)} µs, ${Math.round(perSecondOf(turns[kind]))}/s`;
    return {
      line: title,
      value: `${told("product")}; it ${told("peer")}; by processor ${shown(byProcessor)}, by clock ${shown(byClock)}`,
      ratio: byProcessor.middle,
      target: goal,
      isUnsteady: isUndecided(byProcessor, goal),
    };
  } finally {
    peer.stop();
  }
}

const programs = {
  moto: () => [
    {
      line: "signed reads and creates beside moto",
      value: "not installed: neither npm's registry nor Debian has it",
    },
  ],
  backup: peerBackupLines,
  language: peerLanguageLines,
};
/** `only`: lines whose name begins so. */
export async function* peerLines({ product }, { only = "" }) {
  for (const [name, line] of Object.entries(lines))
    if (name.startsWith(only)) yield await measureLine(line, product);
  for (const [name, measure] of Object.entries(programs)) if (name.startsWith(only)) yield* await measure();
}
