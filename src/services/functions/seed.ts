/** Demo data: a function that greets, and one that counts orders. */
import { definitionOf, findRuntime } from "./domain/index.ts";
import { beginCreate } from "./jobs/index.ts";
import type { FunctionsContext } from "./state.ts";
import { findFunction, insertObject, savePolicy } from "./store/index.ts";

const PLACE = { project: "demo", location: "us-central1" };
const RUNTIME = findRuntime("nodejs20")?.name ?? "";

const SOURCES: Readonly<Record<string, string>> = {
  greeter: `const functions = require("@google-cloud/functions-framework");
functions.http("greeter", (request, response) => {
  console.log(JSON.stringify({ severity: "NOTICE", message: "somebody was greeted" }));
  response.send(\`\${process.env.GREETING ?? "Hello"}, \${request.query.name ?? "World"}!\`);
});
`,
  "order-counter": `const functions = require("@google-cloud/functions-framework");
let count = 0;
functions.cloudEvent("order-counter", (event) => {
  count += 1;
  console.log(\`order \${count}: \${JSON.stringify(event.data)}\`);
});
`,
};
const TRIGGER = {
  eventType: "google.cloud.pubsub.topic.v1.messagePublished",
  pubsubTopic: "projects/demo/topics/orders",
};

async function archiveOf(source: string): Promise<Buffer> {
  const { ZipFile } = await import("yazl");
  const archive = new ZipFile();
  archive.addBuffer(Buffer.from(source), "index.js");
  archive.end();
  const parts: Buffer[] = [];
  for await (const part of archive.outputStream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

async function seedFunction(
  context: FunctionsContext,
  functionId: string,
  archive: Buffer,
  isEvent: boolean,
): Promise<void> {
  const { db, account, clock, blobs } = context;
  const name = { ...PLACE, functionId };
  if (await findFunction(db, account, name)) return;
  const nowMs = clock.nowMs();
  const blob = await blobs.put(archive, "application/zip");
  const source = {
    bucket: "gcf-v2-uploads-demo-us-central1",
    object: `${functionId}.zip`,
    generation: String(nowMs * 1000),
  };
  await insertObject(db, account, { ...source, blobId: blob.id, size: blob.size }, nowMs);
  const definition = definitionOf({
    description: isEvent ? "Counts orders." : "Greets whoever calls.",
    labels: { team: "demo" },
    buildConfig: { runtime: RUNTIME, entryPoint: functionId, source: { storageSource: source } },
    serviceConfig: { environmentVariables: { GREETING: "Good day" } },
    ...(isEvent && { eventTrigger: TRIGGER }),
  });
  const { slug } = await beginCreate(context, name, definition, null);
  if (!isEvent)
    await savePolicy(db, account, slug, {
      version: 1,
      etag: "ACAC",
      bindings: [{ role: "roles/cloudfunctions.invoker", members: ["allUsers"] }],
    });
}

export async function seed(context: FunctionsContext): Promise<void> {
  if (!(await context.claim("project", PLACE.project))) return;
  for (const [functionId, source] of Object.entries(SOURCES))
    await seedFunction(context, functionId, await archiveOf(source), functionId === "order-counter");
}
