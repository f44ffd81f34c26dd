/** Archives that go up and come down, a function of the first generation that is upgraded, and logs. */
import { ZipFile } from "yazl";
import { eventually } from "./asking.mjs";
import { listen, visit } from "./strangers.mjs";

const MOUNT = "/functions";
const PLACE = `${MOUNT}/v2/projects/demo/locations/us-central1`;
const POLLS_MAX = 600;
const SOURCE = 'exports.hello = (request, response) => response.send("Hello!");\n';

async function archive() {
  const made = new ZipFile();
  made.addBuffer(Buffer.from(SOURCE), "index.js");
  made.end();
  const parts = [];
  for await (const part of made.outputStream) parts.push(part);
  return Buffer.concat(parts);
}
/** `functions.get` reads work too. */
async function ended({ call }, { body }) {
  const isDone = async () => (await call("functions.get", `${MOUNT}/v2/${body.name}`)).body.done;
  await eventually(isDone, body.name, POLLS_MAX);
}
async function upgraded(given) {
  const { url, call } = given;
  const { body } = await call("functions.generateUploadUrl", `${PLACE}/functions:generateUploadUrl`, {});
  await visit(given, "PUT", body.uploadUrl.slice(url.length), {
    body: await archive(),
    headers: { "content-type": "application/zip" },
  });
  const { storageSource } = body;
  const definition = {
    description: "Says hello.",
    environment: "GEN_1",
    buildConfig: { runtime: "nodejs20", entryPoint: "hello", source: { storageSource } },
  };
  const name = `${PLACE}/functions/hello`;
  await ended(given, await call("functions.create", `${PLACE}/functions?functionId=hello`, definition));
  const download = await call("functions.generateDownloadUrl", `${name}:generateDownloadUrl`, {});
  await visit(given, "GET", download.body.downloadUrl.slice(url.length));
  for (const step of [
    "setupFunctionUpgradeConfig",
    "abortFunctionUpgrade",
    "setupFunctionUpgradeConfig",
    "redirectFunctionUpgradeTraffic",
    "rollbackFunctionUpgradeTraffic",
    "redirectFunctionUpgradeTraffic",
    "commitFunctionUpgrade",
  ])
    await ended(given, await call(`functions.${step}`, `${name}:${step}`, {}));
}
async function logged(given) {
  const { call, account } = given;
  const name = `${PLACE}/functions/greeter`;
  const { body } = await call("functions.get", name);
  const greet = async () => (await fetch(`${body.serviceConfig.uri}?name=Ann`)).text();
  await listen(given, `${name}/logs:follow`, {
    headers: { authorization: `Bearer ${account.tokens[0]}` },
    enough: /somebody was greeted/,
    meanwhile: greet,
  });
  await call("functions.logs.list", `${name}/logs`);
  await call("functions.figures", `${name}/figures`);
}

export async function recordFunctions(given) {
  await upgraded(given);
  await logged(given);
}
