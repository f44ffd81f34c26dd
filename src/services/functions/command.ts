/** `medley functions deploy|logs|emit`. */
import { statSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { type CommandInput, FailedError, UsageError } from "#kernel/manifest";

type Server = { readonly url: string; readonly token: string };
type Operation = {
  readonly name: string;
  readonly done: boolean;
  readonly metadata: { readonly stages: readonly { readonly name: string; readonly state: string }[] };
  readonly error?: { readonly message: string };
  readonly response?: { readonly url: string };
};

const PROJECT = "demo";
const LOCATION = "us-central1";
const RUNTIME = "nodejs20";
const POLL_MS = 150;
const LEFT_OUT = new Set([".git", ".DS_Store"]);

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
async function ask<T>({ url, token }: Server, method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(path.startsWith("http") ? path : `${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok)
    throw new FailedError(`${method} ${path} answered ${response.status}: ${messageOf(text)}`);
  return (text === "" ? undefined : JSON.parse(text)) as T;
}
function messageOf(text: string): string {
  try {
    return (JSON.parse(text) as { error: { message: string } }).error.message;
  } catch {
    return text.slice(0, 300);
  }
}

async function zipOf(folder: string): Promise<Buffer> {
  const { ZipFile } = await import("yazl");
  const archive = new ZipFile();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path).split(sep).join("/");
    if (!entry.isFile() || name.split("/").some((part) => LEFT_OUT.has(part))) continue;
    archive.addFile(path, name);
  }
  archive.end();
  const parts: Buffer[] = [];
  for await (const part of archive.outputStream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

const placeOf = (input: CommandInput): string =>
  `projects/${input.text("project") ?? PROJECT}/locations/${input.text("location") ?? LOCATION}`;

async function sendSource(server: Server, place: string, folder: string): Promise<unknown> {
  const bytes = await zipOf(folder);
  const { uploadUrl, storageSource } = await ask<{
    uploadUrl: string;
    storageSource: { bucket: string; object: string };
  }>(server, "POST", `/functions/v2/${place}/functions:generateUploadUrl`, {});
  const sent = await fetch(uploadUrl, {
    method: "PUT",
    headers: { "content-type": "application/zip" },
    body: new Uint8Array(bytes),
  });
  if (!sent.ok) throw new FailedError(`The archive was refused: ${messageOf(await sent.text())}`);
  say(`uploaded ${Math.ceil(bytes.length / 1024)} KB`);
  return { storageSource: { bucket: storageSource.bucket, object: storageSource.object } };
}
async function waitFor(server: Server, begun: Operation): Promise<Operation> {
  let shown = "";
  for (
    let operation = begun;
    ;
    operation = await ask<Operation>(server, "GET", `/functions/v2/${begun.name}`)
  ) {
    const stage = operation.metadata.stages.find(({ state }) => state === "IN_PROGRESS")?.name;
    if (stage !== undefined && stage !== shown) say(`${stage.toLowerCase()} …`);
    shown = stage ?? shown;
    if (operation.done) return operation;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
function variablesOf(input: CommandInput): Record<string, string> {
  return Object.fromEntries(
    input.list("set").map((pair) => {
      const equals = pair.indexOf("=");
      if (equals < 1) throw new UsageError(`--set ${pair} is not NAME=VALUE`);
      return [pair.slice(0, equals), pair.slice(equals + 1)];
    }),
  );
}

async function deploy(input: CommandInput): Promise<number> {
  const [, folder] = input.words;
  const name = input.text("name");
  if (folder === undefined || name === undefined) throw new UsageError("functions deploy FOLDER --name NAME");
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new FailedError(`${folder} is not a folder`);
  const eventType = input.text("event-type");
  const place = placeOf(input);
  return input.withServer(async (server) => {
    const source = await sendSource(server, place, folder);
    const definition = {
      buildConfig: {
        runtime: input.text("runtime") ?? RUNTIME,
        entryPoint: input.text("entry-point") ?? name,
        source,
      },
      serviceConfig: { environmentVariables: variablesOf(input) },
      ...(eventType !== undefined && {
        eventTrigger: {
          eventType,
          ...(input.text("topic") !== undefined && { pubsubTopic: input.text("topic") }),
        },
      }),
    };
    const known = await fetch(`${server.url}/functions/v2/${place}/functions/${name}`, {
      headers: { authorization: `Bearer ${server.token}` },
    });
    const begun = known.ok
      ? await ask<Operation>(server, "PATCH", `/functions/v2/${place}/functions/${name}`, definition)
      : await ask<Operation>(
          server,
          "POST",
          `/functions/v2/${place}/functions?functionId=${name}`,
          definition,
        );
    const ended = await waitFor(server, begun);
    if (ended.error) throw new FailedError(ended.error.message);
    if (input.has("allow-unauthenticated"))
      await ask(server, "POST", `/functions/v2/${place}/functions/${name}:setIamPolicy`, {
        policy: { bindings: [{ role: "roles/cloudfunctions.invoker", members: ["allUsers"] }] },
      });
    say(ended.response?.url ?? "");
    return 0;
  });
}

type Line = {
  readonly id: string;
  readonly timestamp: string;
  readonly severity: string;
  readonly text: string;
};
const show = ({ timestamp, severity, text }: Line): void => say(`${timestamp} ${severity.padEnd(7)} ${text}`);

async function logs(input: CommandInput): Promise<number> {
  const [, name] = input.words;
  if (name === undefined) throw new UsageError("functions logs NAME");
  const path = `/functions/v2/${placeOf(input)}/functions/${name}/logs`;
  return input.withServer(async (server) => {
    const { lines } = await ask<{ lines: Line[] }>(server, "GET", `${path}?limit=200`);
    lines.forEach(show);
    if (!input.has("follow")) return 0;
    let after = lines.at(-1)?.id ?? "";
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS * 2));
      const { lines: more } = await ask<{ lines: Line[] }>(
        server,
        "GET",
        `${path}?limit=200&after=${encodeURIComponent(after || "0")}`,
      );
      more.forEach(show);
      after = more.at(-1)?.id ?? after;
    }
  });
}

async function emit(input: CommandInput): Promise<number> {
  const [, type, data = "{}"] = input.words;
  if (type === undefined) throw new UsageError("functions emit TYPE [DATA|@FILE]");
  const text = data.startsWith("@") ? await readFile(data.slice(1), "utf8") : data;
  const attributes = Object.fromEntries(
    input
      .list("attribute")
      .map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
  );
  return input.withServer(async (server) => {
    const event = {
      specversion: "1.0",
      id: crypto.randomUUID(),
      source: input.text("source") ?? "/medley/command-line",
      type,
      ...attributes,
      datacontenttype: "application/json",
      data: dataOf(text),
    };
    const { functions } = await ask<{ functions: number }>(server, "POST", "/_medley/events", event);
    say(`${functions} ${functions === 1 ? "function is" : "functions are"} called`);
    return 0;
  });
}
function dataOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError("the data of an event is JSON");
  }
}

const WAYS: Readonly<Record<string, (input: CommandInput) => Promise<number>>> = { deploy, logs, emit };

export function run(input: CommandInput): Promise<number> {
  const way = WAYS[input.words[0] ?? ""];
  if (!way) throw new UsageError("functions deploy, functions logs or functions emit");
  return way(input);
}
