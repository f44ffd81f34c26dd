/** A request written as a command or as a call of the library that people use for its service. */
import type { Answers } from "../../generated/operations.ts";
import { readable } from "../../parts/bodies/body-view.tsx";
import { mountOf } from "../../services.ts";

export type RequestDetail = Answers["medley.requests.get"];

/** Set by whatever sends it. */
const LEFT_OUT = new Set([
  "host",
  "connection",
  "content-length",
  "accept-encoding",
  "user-agent",
  "transfer-encoding",
  "x-amz-date",
  "x-amz-content-sha256",
  "x-amz-user-agent",
  "amz-sdk-invocation-id",
  "amz-sdk-request",
]);
const HIDDEN = /hidden|\*\*\*/i;
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Secrets are never shown: what stands in their place are the variables of `medley credentials --env`. */
function credentialOf(name: string, value: string, kind: string | undefined, service: string): string {
  if (kind === "accessKey")
    return `--aws-sigv4 "aws:amz:us-east-1:${service}" -u "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY"`;
  if (kind === "basic") return '-u "$MEDLEY_USERNAME:$MEDLEY_PASSWORD"';
  if (name === "authorization" && kind !== "apiKey") return '-H "Authorization: Bearer $MEDLEY_TOKEN"';
  return HIDDEN.test(value) ? `-H "${name}: $MEDLEY_API_KEY"` : `-H ${quoted(`${name}: ${value}`)}`;
}

export function curlOf(request: RequestDetail): string {
  const { method, url, request: sent, service, who } = request;
  const words = [`curl${method === "GET" ? "" : ` -X ${method}`} ${quoted(location.origin + url)}`];
  for (const [name, raw] of Object.entries(sent.headers)) {
    const value = String(raw);
    if (LEFT_OUT.has(name)) continue;
    if (name === "authorization" || HIDDEN.test(value))
      words.push(credentialOf(name, value, who?.kind, service));
    else words.push(`-H ${quoted(`${name}: ${value}`)}`);
  }
  const { text } = readable(sent);
  if (text !== "")
    words.push(
      `--data-binary ${quoted(typeof sent.body === "string" ? sent.body : JSON.stringify(sent.body))}`,
    );
  return words.join(" \\\n  ");
}

type Library = { readonly from: string; readonly client: string };
/** Libraries whose calls are named after the operations. */
const LIBRARIES: Readonly<Record<string, Library>> = {
  voice: { from: "@aws-sdk/client-pinpoint-sms-voice", client: "PinpointSMSVoiceClient" },
  "resource-groups": { from: "@aws-sdk/client-resource-groups", client: "ResourceGroupsClient" },
  backup: { from: "@aws-sdk/client-backup", client: "BackupClient" },
  events: { from: "@aws-sdk/client-iot-events", client: "IoTEventsClient" },
  "events-data": { from: "@aws-sdk/client-iot-events-data", client: "IoTEventsDataClient" },
};

/** What stands in the path of the address, by the names that the operation gives to its parts. */
function paramsOf({ matched, url }: RequestDetail): Record<string, string> {
  if (!matched) return {};
  const names = [...matched.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
  const pattern = matched.path.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\w+\}/g, "([^/?]+)");
  const values = new RegExp(`${pattern}(?:\\?|$)`).exec(url)?.slice(1) ?? [];
  return Object.fromEntries(names.map((name, at) => [name, decodeURIComponent(values[at] ?? "")]));
}

function fetchOf({ method, url, request: sent }: RequestDetail): string {
  const headers = Object.entries(sent.headers).filter(([name]) => !LEFT_OUT.has(name));
  const lines = headers.map(([name, value]) =>
    HIDDEN.test(String(value)) || name === "authorization"
      ? `    "${name}": process.env.${name === "authorization" ? "MEDLEY_AUTHORIZATION" : "MEDLEY_API_KEY"},`
      : `    "${name}": ${JSON.stringify(value)},`,
  );
  const body = readable(sent).text;
  const shown =
    typeof sent.body === "string"
      ? JSON.stringify(sent.body)
      : `JSON.stringify(${body.replaceAll("\n", "\n  ")})`;
  return `const answer = await fetch("${location.origin}${url}", {
  method: "${method}",
  headers: {
${lines.join("\n")}
  },${body === "" ? "" : `\n  body: ${shown},`}
});
console.log(answer.status, await answer.text());`;
}

export function clientCallOf(request: RequestDetail): string {
  const { matched, service, request: sent } = request;
  const library = LIBRARIES[service];
  if (!library || !matched) return fetchOf(request);
  const command = `${matched.id.split(".").at(-1)}Command`;
  const query = Object.fromEntries(new URLSearchParams(request.url.split("?")[1] ?? ""));
  const body = readable(sent).language === "json" ? JSON.parse(readable(sent).text) : {};
  const input = JSON.stringify({ ...paramsOf(request), ...query, ...body }, null, 2);
  return `import { ${library.client}, ${command} } from "${library.from}";

const client = new ${library.client}({
  endpoint: "${location.origin}${mountOf(service)}",
  region: "us-east-1",
});
console.log(await client.send(new ${command}(${input})));`;
}
