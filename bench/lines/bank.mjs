/**
 * The bank: signed payments over a thousand accounts and between two, reads with and without signed answers, and a million payments behind them.
 * `npm run bench bank-size 1000000` for the million; ratios of processor time in the same run, so that a busy machine tells the same.
 */
import { createSign, generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { Agent, request } from "undici";
import { apiKey, startProcess, startServer, token } from "../load.mjs";

const PEOPLE = 1000;
const AT_ONCE = 16;
const CONNECTIONS = 64;
const AMOUNT = 2000;
const ROUNDS = 3;
const CORES = 2;
const FEW = 1000;
const READS = 200;
const HOUR_MS = 3_600_000;
const json = { "content-type": "application/json" };
const admin = { ...json, authorization: `Bearer ${token}` };
const AUTHENTICATION = "x-vendor-client-authentication";
const dispatcher = new Agent({ connections: CONNECTIONS });

export const { publicKey, privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});
const signatureOf = (body) => createSign("sha256").update(body).sign(privateKey, "base64");

async function ask(url, options = {}) {
  // A connection that rested for long may have been closed meanwhile.
  const answer = await fetch(url, options).catch(() => fetch(url, options));
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}
function send(base, path, secret, body) {
  const text = JSON.stringify(body);
  const headers = { ...json, [AUTHENTICATION]: secret, "x-vendor-client-signature": signatureOf(text) };
  return ask(`${base}${path}`, { method: "POST", headers, body: text });
}

/** A person with a session, an account and money in it. */
async function makePerson(base, url, installation) {
  const { api_key } = await send(base, "/sandbox-user-person", apiKey, {});
  await send(base, "/device-server", installation, {
    description: "bench",
    secret: api_key,
    permitted_ips: ["*"],
  });
  const session = await send(base, "/session-server", installation, { secret: api_key });
  const headers = { [AUTHENTICATION]: session.Token.token };
  const userId = session.UserPerson.id;
  const [ledger] = await ask(`${base}/user/${userId}/monetary-account`, { headers });
  const iban = ledger.alias.find(({ type }) => type === "IBAN").value;
  const money = { amount: { value: "10000.00", currency: "EUR" }, from: { name: "The bench" } };
  await ask(`${url}/_medley/bank/incoming-payments`, {
    method: "POST",
    headers: admin,
    body: JSON.stringify({ iban, ...money, by: "TRANSFER" }),
  });
  return { headers, userId, ledgerId: ledger.id, iban, key: api_key };
}
export async function makePeople({ url }, count) {
  const base = `${url}/bank/v1`;
  const { Token: installation } = await send(base, "/installation", apiKey, { client_public_key: publicKey });
  const people = [];
  const make = async () => {
    while (people.length < count) people.push(await makePerson(base, url, installation.token));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, make));
  return people;
}
const ledgerOf = ({ userId, ledgerId }) => `/bank/v1/user/${userId}/monetary-account/${ledgerId}`;

/** A payment of a cent from one to another, signed once: the signature covers the body alone. */
export function paymentOf(from, to) {
  const body = JSON.stringify({
    amount: { value: "0.01", currency: "EUR" },
    counterparty_alias: { type: "IBAN", value: to.iban },
    description: "a payment of the bench",
  });
  const headers = { ...json, ...from.headers, "x-vendor-client-signature": signatureOf(body) };
  return { method: "POST", path: `${ledgerOf(from)}/payment`, headers, body };
}
const leastOf = (values) => Math.min(...values);
/** Each request in turn, on 64 connections. */
async function sendAll(server, requests, amount) {
  let sent = 0;
  const work = async () => {
    while (sent < amount) {
      const { path, ...options } = requests[sent++ % requests.length];
      const { statusCode, body } = await request(`${server.url}${path}`, { ...options, dispatcher });
      const text = await body.text();
      if (statusCode >= 300) throw new Error(`${path}: ${statusCode} ${text}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
}
/** The best of several rounds in turns: requests a second, processor time of one, and of the main thread for one. */
async function measure(loads) {
  const figures = loads.map(() => ({ rates: [], costs: [], mains: [] }));
  for (const [server, requests] of loads) await sendAll(server, requests, AMOUNT / 2);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [at, [server, requests]] of loads.entries()) {
      const [before, start] = [await server.mainThread(), performance.now()];
      await sendAll(server, requests, AMOUNT);
      const [after, end] = [await server.mainThread(), performance.now()];
      figures[at].rates.push((AMOUNT * 1000) / (end - start));
      figures[at].costs.push(((after.allThreadsMs - before.allThreadsMs) * 1000) / AMOUNT);
      figures[at].mains.push(((after.runningMs - before.runningMs) * 1000) / AMOUNT);
    }
  return figures.map(({ rates, costs, mains }) => ({
    rate: Math.max(...rates),
    cost: leastOf(costs),
    main: leastOf(mains),
  }));
}
const told = ({ rate, cost, main }) =>
  `${Math.round(rate)}/s; ${Math.round(main)} µs, all threads ${Math.round(cost)} µs`;
/** By processor time: of the main thread, and of all where signatures are made and checked beside it. */
const lineOf = (name, measured, compared, target) => ({
  line: `bank: ${name}`,
  value: `${told(measured)} (beside ${told(compared)})`,
  ratio: compared.main / measured.main,
  ...(target !== undefined && { target }),
});
const signedLineOf = (name, measured, compared, target) => ({
  ...lineOf(name, measured, compared, target),
  ratio: compared.cost / measured.cost,
});
/** How many a second two cores of its own would do: no more than the main thread can, nor all threads together. */
const possibleOf = ({ main, cost }) => 1e6 / Math.max(main, cost / CORES);

export async function bankTrafficLines({ raw, product }) {
  const bare = await startProcess(new URL("../bare-signer.mjs", import.meta.url), publicKey);
  try {
    return await trafficLines({ raw, product, bare });
  } finally {
    bare.stop();
  }
}
async function trafficLines({ raw, product, bare }) {
  const people = await makePeople(product, PEOPLE);
  const ring = people.map((person, at) => paymentOf(person, people[(at + 1) % PEOPLE]));
  const [first, second] = people;
  const pair = [paymentOf(first, second), paymentOf(second, first)];
  const reads = (headersOf) =>
    people.map((person) => ({ method: "GET", path: ledgerOf(person), headers: headersOf(person) }));
  const unsigned = reads(({ key }) => ({ [AUTHENTICATION]: key }));
  const signed = reads(({ headers }) => headers);
  const keyed = ring.map(({ headers, ...rest }, at) => ({
    ...rest,
    headers: { ...json, [AUTHENTICATION]: people[at].key },
  }));
  const rawPosts = [{ method: "POST", path: "/", headers: json, body: ring[0].body }];
  const [rawPost, rawGet, best, paid, paidByKey, hot, read, readSigned] = await measure([
    [raw, rawPosts],
    [raw, [{ method: "GET", path: "/" }]],
    [bare, [{ ...ring[0], path: "/" }]],
    [product, ring],
    [product, keyed],
    [product, pair],
    [product, unsigned],
    [product, signed],
  ]);
  return [
    signedLineOf("payment between users, signed both ways, durable, 1,000 accounts", paid, rawPost, 0.3),
    signedLineOf("a server that checks and signs, and does nothing else", best, rawPost),
    signedLineOf("the payment beside that server", paid, best, 0.3),
    lineOf("the payment by key, nothing signed", paidByKey, rawPost),
    {
      line: "bank: payments of a hot pair, signed both ways",
      value: `${Math.round(possibleOf(hot))}/s by processor time on ${CORES} cores; ${told(hot)}`,
      measured: possibleOf(hot),
      atLeast: 1000,
    },
    lineOf("read of an account, signature off", read, rawGet, 0.4),
    signedLineOf("read of an account, signed answers", readSigned, rawGet, 0.25),
  ];
}

/** So many payments between two accounts, over ten days, straight into the tables: each row as a payment leaves it. */
function fill(file, [first, second], from, to) {
  const db = new DatabaseSync(file);
  const SPAN_MS = 10 * 86_400_000;
  const now = Date.now();
  const { account } = db.prepare("SELECT account FROM bank_ledger WHERE id = ?").get(first.ledgerId);
  const start = db.prepare("SELECT next FROM bank_sequence WHERE account = ?").get(account).next + 1;
  const numbers = `WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${to})`;
  const at = `${now - SPAN_MS} + CAST(i * ${SPAN_MS / to} AS INTEGER)`;
  const id = `${start} + (i - ${from}) * 5`;
  db.exec("BEGIN");
  db.exec(
    `INSERT INTO bank_movement (account, id, kind, created_at) ${numbers} SELECT '${account}', ${id}, 'payment', ${at} FROM n`,
  );
  // Even ones go from the first to the second, odd ones back.
  for (const [side, { ledgerId, userId }] of [first, second].entries()) {
    const sign = side === 0 ? "CASE i % 2 WHEN 0 THEN -1 ELSE 1 END" : "CASE i % 2 WHEN 0 THEN 1 ELSE -1 END";
    const ledger = db
      .prepare("SELECT * FROM bank_ledger WHERE account = ? AND id = ?")
      .get(account, ledgerId);
    const balance = `${ledger.balance} + CASE (i - ${from}) % 2 WHEN 0 THEN ${side === 0 ? -1 : 1} ELSE 0 END`;
    const spent = `${ledger.spent} + (i - ${from} + ${side === 0 ? 2 : 1}) / 2`;
    db.exec(`INSERT INTO bank_entry (account, ledger_id, serial, movement_id, amount, balance_after, spent_after, created_at)
      ${numbers} SELECT '${account}', ${ledgerId}, ${ledger.serial + 1} + i - ${from}, ${id}, ${sign}, ${balance}, ${spent}, ${at} FROM n`);
    const columns = db
      .prepare("PRAGMA table_info(bank_payment)")
      .all()
      .map(({ name }) => name);
    const own = {
      id: `${id} + 1 + ${side === 0 ? "i % 2" : "(i + 1) % 2"}`,
      movement_id: id,
      amount: sign,
      balance_after: balance,
      created_at: at,
      updated_at: at,
    };
    const template = db
      .prepare("SELECT * FROM bank_payment WHERE account = ? AND ledger_id = ? ORDER BY id LIMIT 1")
      .get(account, ledgerId);
    const values = columns.map(
      (name) =>
        own[name] ?? (template[name] === null ? "NULL" : `'${String(template[name]).replaceAll("'", "''")}'`),
    );
    db.exec(`INSERT INTO bank_payment (${columns.join(", ")}) ${numbers} SELECT ${values.join(", ")} FROM n`);
    db.exec(`INSERT INTO bank_event (account, id, user_id, ledger_id, action, status, category, object_kind, object_id, body, created_at)
      ${numbers} SELECT '${account}', ${id} + 3 + ${side}, ${userId}, ${ledgerId}, 'CREATE', 'FINALIZED', 'PAYMENT', 'Payment', ${own.id}, '', ${at} FROM n`);
    db.exec(`INSERT INTO bank_insight (account, user_id, hour_at, category, currency, amount, count)
      ${numbers} SELECT '${account}', ${userId}, (${at}) / ${HOUR_MS} * ${HOUR_MS} AS hour, '${template.category}', '${template.currency}', sum(${sign}), count(*)
      FROM n WHERE true GROUP BY hour
      ON CONFLICT DO UPDATE SET amount = amount + excluded.amount, count = count + excluded.count`);
    db.prepare(
      "UPDATE bank_ledger SET serial = serial + ?, spent = spent + ?, paid_count = paid_count + ? WHERE account = ? AND id = ?",
    ).run(to - from, (to - from) / 2, (to - from) / 2, account, ledgerId);
  }
  db.prepare("UPDATE bank_sequence SET next = next + ? WHERE account = ?").run((to - from) * 5, account);
  db.exec("COMMIT");
  db.close();
}
/** Processor time of the main thread for one request, asked for one after the other. */
async function costOf(server, requests) {
  const each = async ({ path, ...options }) => ask(`${server.url}${path}`, options);
  for (let at = 0; at < READS / 10; at += 1) await each(requests[at % requests.length]);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await server.mainThread();
    for (let at = 0; at < READS; at += 1) await each(requests[at % requests.length]);
    rounds.push((((await server.mainThread()).runningMs - before.runningMs) * 1000) / READS);
  }
  return leastOf(rounds);
}
async function costsOf(server, [first, second]) {
  const by = ({ key }) => ({ [AUTHENTICATION]: key });
  const get = (path) => [{ method: "GET", path, headers: by(first) }];
  const list = `${ledgerOf(first)}/payment`;
  const middle = (await ask(`${server.url}${list}?count=200`, { headers: by(first) })).at(-1).id;
  const pays = [paymentOf(first, second), paymentOf(second, first)].map((request, at) => ({
    ...request,
    headers: { ...json, ...by(at === 0 ? first : second) },
  }));
  return {
    balance: await costOf(server, get(ledgerOf(first))),
    list: await costOf(server, get(`${list}?count=10`)),
    older: await costOf(server, get(`${list}?count=10&older_id=${Math.floor(middle / 2)}`)),
    events: await costOf(server, get(`/bank/v1/user/${first.userId}/event?count=10`)),
    insights: await costOf(server, get(`/bank/v1/user/${first.userId}/insights`)),
    limits: await costOf(server, get(`/bank/v1/user/${first.userId}/limit`)),
    payment: await costOf(server, pays),
  };
}
async function provedIn(server) {
  const start = performance.now();
  const proof = await ask(`${server.url}/_medley/bank/proof`, { headers: admin });
  if (!proof.isSound) throw new Error(`the books do not balance: ${JSON.stringify(proof)}`);
  return { seconds: (performance.now() - start) / 1000, entries: proof.entries };
}

export async function bankSizeLines(count) {
  const data = mkdtempSync(join(tmpdir(), "medley-bench-bank-"));
  const file = join(data, "medley.db");
  let server = await startServer("product", { data });
  try {
    const people = await makePeople(server, 2);
    const grow = async (from, to) => {
      server.stop();
      fill(file, people, from, to);
      server = await startServer("product", { data });
      return costsOf(server, people);
    };
    const few = await grow(0, FEW);
    const many = await grow(FEW, count);
    const { seconds, entries } = await provedIn(server);
    const flat = (name, what) => ({
      line: `bank: ${name}, ${FEW} / ${count} payments behind it`,
      value: `${Math.round(few[what])} µs / ${Math.round(many[what])} µs`,
      ratio: few[what] / many[what],
      target: 0.7,
    });
    return [
      flat("balance", "balance"),
      flat("list of payments", "list"),
      flat("list of payments, from the middle", "older"),
      flat("list of events", "events"),
      flat("insights of a month", "insights"),
      flat("limits", "limits"),
      flat("payment by key", "payment"),
      {
        line: `bank: proof of ${entries} entries`,
        value: `${seconds.toFixed(1)} s`,
        measured: seconds,
        atMost: 10,
      },
    ];
  } finally {
    server.stop();
    rmSync(data, { recursive: true, force: true });
  }
}
