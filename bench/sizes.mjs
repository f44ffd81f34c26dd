/** `node bench/sizes.mjs`: rows and bytes that one resource of each kind takes in PostgreSQL, with its indexes. */
import pg from "pg";
import { apiKey, signedHeaders, startServer, token } from "./load.mjs";
import { startPostgres } from "./postgres.mjs";

const HOW_MANY = 400;
const SETTLE_MS = 4000;
const json = { "content-type": "application/json" };
const bearer = { authorization: `Bearer ${token}`, ...json };
const provider = (name, subscription = "size") =>
  `/management/subscriptions/${subscription}/resourceGroups/rg/providers/Vendor.${name}`;
const signed = (service, method, path, body) => (base) => ({
  path,
  method,
  body,
  headers: { ...signedHeaders(service, method, `${base}${path}`, body), ...json },
});
const put = (path, body) => () => ({ path, method: "PUT", headers: bearer, body: JSON.stringify(body) });

/** Made one by one; what they cause is counted as well. */
const kinds = {
  "sample note": (i) => () => ({
    path: `/sample-key/notes/n-${i}`,
    method: "PUT",
    headers: { "x-vendor-key": apiKey, ...json },
    body: '{"text":"a note of ordinary length, as people write them"}',
  }),
  "hardware security module": (i) =>
    put(`${provider("HardwareSecurityModules")}/dedicatedHSMs/h-${i}?api-version=2018-10-31-preview`, {
      location: "westus",
      sku: { name: "SafeNet Luna Network HSM A790" },
      properties: {},
    }),
  "resource group (signed)": (i) => {
    const query =
      '{"ResourceTypeFilters":["AWS::AllSupported"],"TagFilters":[{"Key":"stage","Values":["test"]}]}';
    const body = { Name: `g-${i}`, ResourceQuery: { Type: "TAG_FILTERS_1_0", Query: query } };
    return signed("resource-groups", "POST", "/resource-groups/groups", JSON.stringify(body));
  },
  "scheduler collection": (i) =>
    put(`${provider("Scheduler", `size-${i}`)}/jobCollections/c-${i}?api-version=2016-03-01`, {
      location: "westus",
      properties: { sku: { name: "Standard" }, state: "Enabled" },
    }),
  "SQL server": (i) =>
    put(`${provider("Sql")}/servers/s-${i}?api-version=2014-04-01`, {
      location: "westus",
      properties: { administratorLogin: "ann", administratorLoginPassword: "Long-enough-1" },
    }),
  "voice configuration set": (i) =>
    signed(
      "sms-voice",
      "POST",
      "/voice/v1/sms-voice/configuration-sets",
      JSON.stringify({ ConfigurationSetName: `set-${i}` }),
    ),
};

async function takeStock(client) {
  const { rows: tables } = await client.query(
    "select relname as name, pg_total_relation_size(oid) as bytes from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  );
  let [rows, bytes] = [0, 0];
  for (const table of tables) {
    bytes += Number(table.bytes);
    const counted = await client.query(`select count(*) as rows from "${table.name}"`);
    rows += Number(counted.rows[0].rows);
  }
  return { rows, bytes };
}

const postgres = await startPostgres();
const node = await startServer("product", { database: postgres.url, logLevel: "silent" });
const client = new pg.Client({ connectionString: postgres.url });
try {
  await client.connect();
  console.log("| kind | rows | bytes |\n|---|---|---|");
  for (const [name, make] of Object.entries(kinds)) {
    const before = await takeStock(client);
    for (let i = 0; i < HOW_MANY; i += 1) {
      const { path, ...request } = make(i)(node.url);
      const answer = await fetch(`${node.url}${path}`, request);
      if (answer.status >= 300) throw new Error(`${name}: ${answer.status} ${await answer.text()}`);
      await answer.arrayBuffer();
    }
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const after = await takeStock(client);
    const each = (what) => (after[what] - before[what]) / HOW_MANY;
    console.log(`| ${name} | ${each("rows").toFixed(1)} | ${each("bytes").toFixed(0)} |`);
  }
} finally {
  await client.end();
  node.stop();
  await postgres.stop();
}
process.exit(0);
