/** Functions: warm and cold calls, and how long a deployment takes. */
import { randomBytes } from "node:crypto";
import yazl from "yazl";
import { inTurns, load, token } from "../load.mjs";

const SOURCE = 'exports.hello = (request, response) => response.end("hello");';
const PLACE = "projects/bench/locations/us-central1";

async function zipOf(files) {
  const archive = new yazl.ZipFile();
  for (const [name, content] of Object.entries(files)) archive.addBuffer(Buffer.from(content), name);
  archive.end();
  const parts = [];
  for await (const part of archive.outputStream) parts.push(part);
  return Buffer.concat(parts);
}

/** Ways to ask and to deploy at one product. */
function deployerAt(product) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const ask = async (method, path, body) => {
    const answer = await fetch(`${product.url}/functions/v2/${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  const deploy = async (id, zip, serviceConfig) => {
    const start = performance.now();
    const { uploadUrl, storageSource } = await ask("POST", `${PLACE}/functions:generateUploadUrl`, {});
    await fetch(uploadUrl, { method: "PUT", headers: { "content-type": "application/zip" }, body: zip });
    const { bucket, object } = storageSource;
    const source = { storageSource: { bucket, object } };
    let operation = await ask("POST", `${PLACE}/functions?functionId=${id}`, {
      buildConfig: { runtime: "nodejs20", entryPoint: "hello", source },
      serviceConfig,
    });
    while (!operation.done) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      operation = await ask("GET", operation.name);
    }
    if (operation.error) throw new Error(operation.error.message);
    const took = performance.now() - start;
    await ask("POST", `${PLACE}/functions/${id}:setIamPolicy`, {
      policy: { bindings: [{ role: "roles/cloudfunctions.invoker", members: ["allUsers"] }] },
    });
    return { took, uri: operation.response.serviceConfig.uri };
  };
  return { headers, deploy };
}
const WARM = { maxInstanceRequestConcurrency: 80, maxInstanceCount: 1 };
/** The address of a function that answers at once. */
export async function deployWarm(product) {
  const { deploy } = deployerAt(product);
  return (await deploy("bench-warm", await zipOf({ "index.js": SOURCE }), WARM)).uri;
}

export async function functionLines({ raw, product }) {
  const { headers, deploy } = deployerAt(product);
  const megabyte = await zipOf({ "index.js": SOURCE, "data.bin": randomBytes(1_000_000) });
  const { took: deployMs } = await deploy("bench-large", megabyte, {});
  const warmUrl = await deployWarm(product);
  const bare = `${raw.url}/get`;
  await load(warmUrl, { seconds: 1 });
  const figures = await inTurns({ bare: [bare, {}], warm: [warmUrl, {}] });
  const latency = async (url) => {
    const taken = [];
    for (let call = 0; call < 300; call += 1) {
      const start = performance.now();
      await (await fetch(url)).arrayBuffer();
      taken.push(performance.now() - start);
    }
    return taken.toSorted((a, b) => a - b)[150];
  };
  const addedMs = (await latency(warmUrl)) - (await latency(bare));
  const cold = await deploy("bench-cold", await zipOf({ "index.js": SOURCE }), {});
  const coldTimes = [];
  for (let round = 0; round < 5; round += 1) {
    await fetch(`${product.url}/_medley/clock/advance`, {
      method: "POST",
      headers,
      body: JSON.stringify({ by: "5m" }),
    });
    const start = performance.now();
    await (await fetch(cold.uri)).arrayBuffer();
    coldTimes.push(performance.now() - start);
  }
  const coldMs = coldTimes.toSorted((a, b) => a - b)[2];
  return [
    {
      line: "functions: warm call, of a bare handler",
      value: `${Math.round(figures.warm)}/s of ${Math.round(figures.bare)}/s`,
      ratio: figures.warm / figures.bare,
      target: 0.45,
    },
    {
      line: "functions: latency added to a warm call, median",
      value: `${addedMs.toFixed(2)} ms`,
      measured: addedMs,
      atMost: 2,
    },
    { line: "functions: cold start", value: `${Math.round(coldMs)} ms`, measured: coldMs, atMost: 450 },
    {
      line: "functions: a 1 MB archive from upload to ACTIVE",
      value: `${Math.round(deployMs)} ms`,
      measured: deployMs,
      atMost: 1500,
    },
  ];
}
