/**
 * What can be had at best on PostgreSQL: node:http, the same credential check, JSON and rows, one read-committed transaction for
 * each request, and no framework. It writes to the product's own tables; new rows are copies of rows that are there.
 */
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import pg from "pg";
import { checks, send } from "./bare-checks.mjs";

const CONNECTIONS = 10;
const ACCOUNT = "111111111111";
const { url, name, answer } = JSON.parse(process.argv[2]);
const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS });
const answered = (changed) => JSON.stringify({ ...answer, ...changed });

let last = Date.now() * 1000;
const fresh = () => (last += 1);
const freshId = () => `b${fresh().toString(32)}${randomUUID().slice(0, 8)}`;

/** Prepared once on each connection, by its name. */
let prepared = 0;
function statement(text) {
  prepared += 1;
  const own = { name: `bare${prepared}`, text };
  return (client, values) => client.query({ ...own, values });
}
async function copies(table, change) {
  const { rows } = await pool.query(`SELECT * FROM ${table} ORDER BY ctid DESC LIMIT 1`);
  const columns = Object.keys(rows[0]);
  const places = columns.map((_, at) => `$${at + 1}`);
  const insert = statement(`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${places.join(", ")})`);
  return (client, context) => insert(client, Object.values({ ...rows[0], ...change(context, rows[0]) }));
}

const makers = {
  async insert() {
    const note = await copies("sample_key_note", ({ id, text }) => ({ id, text }));
    return {
      check: "key",
      status: 201,
      async write(client, { text }) {
        const id = freshId();
        await note(client, { id, text });
        return answered({ id, text });
      },
    };
  },
  async groupCreate() {
    const group = await copies("resource_groups_group", (name) => ({ name, unique_id: randomUUID() }));
    const type = await copies("resource_groups_group_type", (name) => ({ name }));
    const resource = await copies("medley_resource", (name, row) => ({
      name,
      arn: `${row.arn.slice(0, row.arn.lastIndexOf("/"))}/${name}`,
    }));
    const watches = statement("SELECT * FROM medley_resource_watch WHERE account = $1");
    return {
      check: "signed",
      async write(client, { Name }) {
        for (const insert of [group, type, resource]) await insert(client, Name);
        await watches(client, [ACCOUNT]);
        return answered({ Group: { ...answer.Group, Name } });
      },
    };
  },
  storePut() {
    const find = statement("SELECT * FROM medley_managed_resource WHERE account = $1 AND key = $2");
    const parent = statement(
      "SELECT name, state FROM medley_managed_resource WHERE account = $1 AND key = $2",
    );
    const update = statement(
      "UPDATE medley_managed_resource SET location = $1, envelope = $2, etag = $3, updated_at = $4 WHERE account = $5 AND key = $6",
    );
    return {
      check: "bearer",
      async write(client, { location, sku }) {
        const key = answer.id.toLowerCase();
        const { rows } = await find(client, [ACCOUNT, key]);
        await parent(client, [ACCOUNT, "/subscriptions/bench/resourcegroups/bench"]);
        await update(client, [location, JSON.stringify({ sku }), `"${freshId()}"`, Date.now(), ACCOUNT, key]);
        return answered({ tags: JSON.parse(rows[0].tags), ...JSON.parse(rows[0].envelope) });
      },
    };
  },
  async contribution() {
    const assignment = statement("SELECT * FROM contributions_assignment WHERE account = $1 AND id = $2");
    const contribution = await copies("contributions_contribution", ({ id, headline }) => ({
      id,
      place: fresh(),
      headline,
      words: headline.toLowerCase(),
    }));
    const change = await copies("contributions_change", ({ id }) => ({ id: freshId(), record_id: id }));
    return {
      check: "bearer",
      async write(client, body) {
        const { rows } = await assignment(client, [ACCOUNT, body.assignment.id]);
        const own = { id: freshId(), headline: body.headline };
        await contribution(client, own);
        await change(client, own);
        return answered({ ...own, assignment: { ...answer.assignment, name: rows[0].name } });
      },
    };
  },
};

const route = await makers[name]();
async function handle(request, response, body) {
  if (!checks[route.check](request, body)) return send(response, 403, "{}");
  const value = JSON.parse(body.toString());
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    const text = await route.write(client, value);
    await client.query("COMMIT");
    send(response, route.status ?? 200, text);
  } finally {
    client.release();
  }
}
const server = createServer((request, response) => {
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => void handle(request, response, Buffer.concat(parts)));
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`));
