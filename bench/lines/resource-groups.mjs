/** Resource groups: signed reads and creations, and a list over very many resources. */
import { inTurns, signedHeaders, token } from "../load.mjs";

const RESOURCES = 100_000;
const admin = { authorization: `Bearer ${token}` };
const json = { "content-type": "application/json" };

/** Clones one registered resource a hundred thousand times by way of a state import. */
async function fill(url) {
  const entry = {
    arn: "arn:vendor:storage:us-east-1:111111111111:bucket/b000000",
    type: "Vendor::Storage::Bucket",
    region: "us-east-1",
    tags: { stage: "bench" },
  };
  await fetch(`${url}/_medley/resources`, {
    method: "PUT",
    headers: { ...admin, ...json },
    body: JSON.stringify(entry),
  });
  const lines = (await (await fetch(`${url}/_medley/state`, { headers: admin })).text()).trim().split("\n");
  // Its checksum would not fit what is added.
  lines[0] = JSON.stringify({ ...JSON.parse(lines[0]), check: undefined });
  const own = lines.filter((line) => line.includes(entry.arn));
  for (let i = 1; i < RESOURCES; i += 1) {
    const number = String(i).padStart(6, "0");
    for (const line of own) lines.push(line.replaceAll("b000000", `b${number}`));
  }
  const { status } = await fetch(`${url}/_medley/state`, {
    method: "PUT",
    headers: admin,
    body: `${lines.join("\n")}\n`,
  });
  if (status !== 200) throw new Error(`filling the catalogue was refused with ${status}`);
}

export async function resourceGroupLines({ raw, product }) {
  const base = `${product.url}/resource-groups`;
  const call = (path, body, options) => ({
    url: `${base}${path}`,
    method: "POST",
    headers: { ...json, ...signedHeaders("resource-groups", "POST", `${base}${path}`, body, options) },
    body,
  });
  const query = {
    Type: "TAG_FILTERS_1_0",
    Query: JSON.stringify({
      ResourceTypeFilters: ["AWS::AllSupported"],
      TagFilters: [{ Key: "stage", Values: ["bench"] }],
    }),
  };
  await fill(product.url);
  const first = call("/groups", JSON.stringify({ Name: "bench", ResourceQuery: query }));
  await fetch(first.url, first);
  const { url: getUrl, ...get } = call("/get-group", JSON.stringify({ GroupName: "bench" }));
  let made = 0;
  const bodyOf = () => {
    made += 1;
    return JSON.stringify({ Name: `bench-${made}`, ResourceQuery: query });
  };
  const { url: createUrl, ...create } = call("/groups", bodyOf(), { unsignedPayload: true });
  const { url: listUrl, ...list } = call(
    "/list-group-resources",
    JSON.stringify({ GroupName: "bench", MaxResults: 50 }),
  );
  const post = { method: "POST", headers: json, body: JSON.stringify({ GroupName: "bench" }) };
  const { rawPost, read, created, listed } = await inTurns({
    rawPost: [`${raw.url}/`, post],
    read: [getUrl, get],
    created: [
      createUrl,
      { requests: [{ ...create, setupRequest: (request) => ({ ...request, body: bodyOf() }) }] },
    ],
    listed: [listUrl, list],
  });
  const line = (name, value, target) => ({
    line: `resource groups: ${name}`,
    value: `${Math.round(value)}/s`,
    ratio: value / rawPost,
    target,
  });
  return [
    line("signed get", read, 0.36),
    line("signed create, durable", created, 0.28),
    line(`page of 50 out of ${RESOURCES.toLocaleString("en")} members`, listed),
  ];
}
