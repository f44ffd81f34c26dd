/** Configuration stores: a store read, replaced and listed; a key-value read with a signed request, set, and listed. */
import { createHash, createHmac } from "node:crypto";
import { inTurns, token } from "../load.mjs";

const VERSION = "api-version=2019-11-01-preview";
const STORES =
  "/management/subscriptions/bench/resourceGroups/bench/providers/Vendor.AppConfiguration/configurationStores";
const json = { authorization: `Bearer ${token}`, "content-type": "application/json" };
const store = JSON.stringify({ location: "westus", sku: { name: "Standard" } });
const setting = JSON.stringify({ value: "a setting of ordinary length", tags: { owner: "bench" } });

/** Valid for some minutes, so a load may repeat it. */
function signed(key, method, url, body = "") {
  const { host, pathname, search } = new URL(url);
  const date = new Date().toUTCString();
  const hash = createHash("sha256").update(body).digest("base64");
  const text = `${method}\n${pathname}${search}\n${date};${host};${hash}`;
  const signature = createHmac("sha256", Buffer.from(key.value, "base64")).update(text).digest("base64");
  return {
    host,
    "x-ms-date": date,
    "x-ms-content-sha256": hash,
    authorization: `HMAC-SHA256 Credential=${key.id}&SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature=${signature}`,
  };
}

export async function configurationLines({ raw, product }) {
  const storeUrl = `${product.url}${STORES}/bench-store?${VERSION}`;
  await fetch(storeUrl, { method: "PUT", headers: json, body: store });
  const keys = await fetch(`${product.url}${STORES}/bench-store/ListKeys?${VERSION}`, {
    method: "POST",
    headers: json,
  });
  const [key] = (await keys.json()).value;
  const valueUrl = `${product.url}/configuration/bench-store/kv/Shop%3ATitle?api-version=2023-11-01`;
  await fetch(valueUrl, { method: "PUT", headers: signed(key, "PUT", valueUrl, setting), body: setting });
  for (let i = 0; i < 100; i += 1) {
    const url = `${product.url}/configuration/bench-store/kv/list-${i}?api-version=2023-11-01`;
    await fetch(url, { method: "PUT", headers: signed(key, "PUT", url, setting), body: setting });
  }
  const listUrl = `${product.url}/configuration/bench-store/kv?key=list-*&api-version=2023-11-01`;
  const { rawGet, ...figures } = await inTurns({
    rawGet: [`${raw.url}/`],
    value: [valueUrl, { headers: signed(key, "GET", valueUrl) }],
    values: [listUrl, { headers: signed(key, "GET", listUrl) }],
    get: [storeUrl, { headers: json }],
    put: [storeUrl, { method: "PUT", headers: json, body: store }],
    stores: [`${product.url}${STORES}?${VERSION}`, { headers: json }],
  });
  const line = (name, value, target) => ({
    line: `configuration stores: ${name}`,
    value: `${Math.round(value)}/s`,
    ratio: value / rawGet,
    target,
  });
  return [
    line("signed read of a key-value", figures.value),
    line("signed list of 100 key-values", figures.values, 0.12),
    line("GET of a store", figures.get, 0.45),
    line("PUT of a store", figures.put, 0.22),
    line("list of stores", figures.stores),
  ];
}
