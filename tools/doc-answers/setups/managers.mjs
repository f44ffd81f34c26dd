/** Work of resource managers that a server of its own leaves running for a moment, so that it can be polled. */
import { readFileSync } from "node:fs";
import { startServer } from "../account.mjs";
import { askerOf } from "./asking.mjs";

/** Operations that are sent again as they were recorded; the last one begins the work. */
const BEGINNINGS = {
  "resource-manager": ["groups.put"],
  "hardware-security-modules": ["dedicated-hsms.put"],
  "configuration-stores": ["stores.put"],
  "api-diagnostics": ["instances.put"],
  "sql-databases": ["servers.put", "databases.put"],
  "sql-virtual-machines": ["machines.put"],
  scheduler: ["job-collections.put", "job-collections.delete"],
};
const at = (account, group, provider) =>
  `/management/subscriptions/${account}/resourceGroups/${group}/providers/Vendor.${provider}`;
const shopAt = (id, group, provider) => at(`7c4d2f3e-1b5a-4a57-9e0c-${id}`, group, provider);
/** Requests about the demo data, in their order. A path gets the version of the interface. */
const FURTHER = {
  "hardware-security-modules": (id) => {
    const hsm = `${shopAt(id, "keys-rg", "HardwareSecurityModules/dedicatedHSMs")}/signing-hsm-1`;
    const tags = { environment: "demo", role: "code-signing" };
    return [["dedicated-hsms.patch", `${hsm}?api-version=2018-10-31-preview`, { tags }]];
  },
  "configuration-stores": (id) => {
    const stores = at(`demo-${id}`, "lantern", "AppConfiguration/configurationStores");
    const [path, version] = [`${stores}/lantern-settings-${id}`, "?api-version=2019-11-01-preview"];
    return [
      [
        "stores.list-key-value",
        `${path}/listKeyValue${version}`,
        { key: "Shop:Checkout:PaymentMethods", label: "production" },
      ],
      ["stores.list-keys", `${path}/ListKeys${version}`],
      ["stores.regenerate-key", `${path}/RegenerateKey${version}`, ({ value: [key] }) => ({ id: key.id })],
    ];
  },
  "sql-databases": (id) => {
    const databases = `${shopAt(id, "data-rg", "Sql/servers")}/shop-sql/databases`;
    const version = "?api-version=2017-10-01-preview";
    const moved = `${databases}/warehouse-2030`.replace("/management", "");
    const older = { location: "westeurope", sku: { name: "DW400" } };
    return [
      ["databases.pause", `${databases}/sales-warehouse/pause${version}`],
      ["databases.resume", `${databases}/sales-warehouse/resume${version}`],
      ["databases.put", `${databases}/older-warehouse${version}`, older],
      ["databases.upgrade-data-warehouse", `${databases}/older-warehouse/upgradeDataWarehouse${version}`],
      ["databases.move", `${databases}/older-warehouse/move${version}`, { id: moved }],
    ];
  },
  "sql-virtual-machines": (id) => {
    const groups = shopAt(id, "data-rg", "SqlVirtualMachine/sqlVirtualMachineGroups");
    const [path, version] = [`${groups}/orders-ag`, "?api-version=2017-03-01-preview"];
    const listener = `${path}/availabilityGroupListeners/orders-listener${version}`;
    return [
      ["groups.patch", path + version, { tags: { system: "orders" } }],
      ["listeners.get", listener],
      ["listeners.put", listener, ({ properties }) => ({ properties })],
    ];
  },
  scheduler: (id) => {
    const collections = at(`00000000-0000-0000-0000-${id}`, "demo", "Scheduler/jobCollections");
    return [["jobs.run", `${collections}/office/jobs/health-check/run?api-version=2016-03-01`]];
  },
};
const GROUP = /^.*?\/resourceGroups\/[^/?]+/;
const GROUPS_VERSION = "?api-version=2021-04-01";

async function follow(ask, begun, record, url) {
  for (const name of ["azure-asyncoperation", "location"]) {
    const address = begun.headers.get(name);
    if (!address) continue;
    const path = address.slice(url.length);
    const { headers, ...answer } = await ask("GET", path);
    record({ method: "GET", path }, { ...answer, type: headers.get("content-type") ?? "" }, url);
  }
}

async function recordFurther({ service, account, admin, call }) {
  // The groups of other services' demo data may be deleted by now.
  await admin("POST", "/_medley/seed", { services: [service] });
  let body;
  for (const [name, path, given] of FURTHER[service]?.(account.id) ?? []) {
    const sent = typeof given === "function" ? given(body) : given;
    // Each is worth having without the others.
    const answer = await call(`${service}.${name}`, path, sent).catch((error) =>
      console.error(error.message),
    );
    body = answer?.body ?? {};
  }
}

export async function recordManager(given) {
  await recordFurther(given);
  await recordWork(given);
}

async function recordWork({ service, record }) {
  const seen = JSON.parse(
    readFileSync(new URL(`../../../console/answers/${service}.json`, import.meta.url), "utf8"),
  );
  const medley = await startServer({ provisioningSeconds: 1 });
  try {
    const [{ id, tokens }] = medley.credentials.accounts;
    const ask = askerOf(medley.url, { authorization: `Bearer ${tokens[0]}` });
    let [begun, group] = [];
    for (const name of BEGINNINGS[service]) {
      const { method, path, body } = seen[`${service}.${name}`];
      const owned = (text) => text.replace(/\d{12}(?=\/)/g, id);
      [group] = GROUP.exec(owned(path));
      if (begun === undefined) await ask("PUT", group + GROUPS_VERSION, { location: "westeurope" });
      begun = await ask(method, owned(path), body && JSON.parse(owned(JSON.stringify(body))));
    }
    if (service === "resource-manager") begun = await ask("DELETE", group + GROUPS_VERSION);
    await follow(ask, begun, record, medley.url);
  } finally {
    await medley.stop();
  }
}
