/**
 * What can be had at best: node:http, the same credential check, JSON, rows and durable group commit, and no framework.
 * Its database is a copy of the product's, with one resource of each kind. New rows are copies of those rows.
 */
import { createPublicKey, generateKeyPairSync, sign, verify } from "node:crypto";
import { createServer } from "node:http";
import { getSqliteDriver } from "../dist/kernel/db/sqlite-driver.js";
import { checks, send } from "./bare-checks.mjs";
import { makers } from "./bare-work.mjs";
import { watchTurns } from "./turns.mjs";

const { file, publicKey, name, answer } = JSON.parse(process.argv[2]);

/** Reads and writes of one line: `read` and `copies` prepare a statement, and return what runs it. */
function openSqliteWork() {
  const db = getSqliteDriver().open(file);
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
  db.exec("PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32000; PRAGMA wal_autocheckpoint = 2000");
  const [begin, commit] = ["BEGIN IMMEDIATE", "COMMIT"].map((text) => db.prepare(text));
  const read = (text) => {
    const statement = db.prepare(text).raw();
    const names = statement.columns().map(({ name }) => name);
    const members = names.map((name, at) => `${JSON.stringify(name)}: values[${at}]`);
    const toRow = new Function("values", `return { ${members.join(", ")} };`);
    return (...values) => statement.all(values).map(toRow);
  };
  const write = (text) => {
    const statement = db.prepare(text);
    return (...values) => statement.run(values);
  };
  const copies = (table, change, { count = 1, conflict = "" } = {}) => {
    const patterns = read(`SELECT * FROM ${table} ORDER BY rowid DESC LIMIT ${count}`)().reverse();
    const columns = Object.keys(patterns[0]);
    const places = `(${columns.map(() => "?").join(", ")})`;
    const insert = write(
      `INSERT INTO ${table} (${columns.join(", ")}) VALUES ${patterns.map(() => places).join(", ")} ${conflict}`,
    );
    return (context) =>
      insert(...patterns.flatMap((row, at) => Object.values({ ...row, ...change(context, at, row) })));
  };
  let queue = [];
  const drain = () => {
    const group = queue;
    queue = [];
    begin.run();
    const values = group.map(({ work }) => work());
    commit.run();
    for (const [at, { done }] of group.entries()) done(values[at]);
  };
  const transact = (work, done) => {
    if (queue.push({ work, done }) === 1) setImmediate(drain);
  };
  return { read, write, copies, transact };
}

const work = openSqliteWork();
const answered = (changed) => JSON.stringify({ ...answer, ...changed });
const route = makers[name]({ ...work, answer, answered });
const clientKey = publicKey && createPublicKey(publicKey);
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const LEDGER = /monetary-account\/(\d+)/;

function signed(request, body, next) {
  const signature = Buffer.from(request.headers["x-vendor-client-signature"], "base64");
  verify("sha256", body, clientKey, signature, (_failure, isRight) => next(isRight));
}
function answerSigned(response, text) {
  sign("sha256", Buffer.from(text), privateKey, (_failure, signature) => {
    response.setHeader("x-vendor-server-signature", signature.toString("base64"));
    send(response, 200, text);
  });
}
function handle(request, response, body) {
  if (!checks[route.check](request, body)) return send(response, 403, "{}");
  const value = body.length > 0 ? JSON.parse(body.toString()) : undefined;
  if (route.read) return send(response, route.status ?? 200, route.read(value));
  const answer = (text) =>
    route.isSignedBothWays ? answerSigned(response, text) : send(response, route.status ?? 200, text);
  const change = () => work.transact(() => route.write(value, LEDGER.exec(request.url)), answer);
  return route.isSignedBothWays
    ? signed(request, body, (isRight) => (isRight ? change() : send(response, 400, "{}")))
    : change();
}
const server = createServer((request, response) => {
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => handle(request, response, parts.length === 1 ? parts[0] : Buffer.concat(parts)));
});
const turns = watchTurns();
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send({ ...turns.take(), allThreadsMs: (user + system) / 1000 });
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`));
