/** A call of a signed service in Python, from the same call in JavaScript: boto3 has the same names in its own spelling. */
const CLIENTS: Readonly<Record<string, string>> = {
  "@aws-sdk/client-backup": "backup",
  "@aws-sdk/client-iot-events": "iotevents",
  "@aws-sdk/client-iot-events-data": "iotevents-data",
  "@aws-sdk/client-pinpoint-sms-voice": "pinpoint-sms-voice",
  "@aws-sdk/client-resource-groups": "resource-groups",
  "@aws-sdk/client-sts": "sts",
};

/** As botocore spells it: `CreateBackupVault` is `create_backup_vault`, and abbreviations stay together. */
export const pythonName = (name: string): string =>
  name
    .replace(/(.)([A-Z][a-z]+)/g, "$1_$2")
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase();

const WORDS: Readonly<Record<string, string>> = { true: "True", false: "False", null: "None" };
/** JSON as Python writes it. Texts stay as they are. */
const pythonValue = (json: string): string =>
  json.replace(/"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g, (found) => WORDS[found] ?? found);

export function pythonCallOf(text: string): string | undefined {
  const [, library = ""] = /from "(@aws-sdk\/[\w-]+)"/.exec(text) ?? [];
  const client = CLIENTS[library];
  const [, command, given] = /new (\w+)Command\(([\s\S]*?)\)\)/.exec(text) ?? [];
  const [, endpoint] = /endpoint: ("[^"]+")/.exec(text) ?? [];
  if (client === undefined || command === undefined) return undefined;
  const values = given === undefined || /^\s*(?:\{\s*\})?$/.test(given) ? "" : `**${pythonValue(given)}`;
  return [
    ...(client.startsWith("iotevents") ? ["# Newer releases of boto3 lack this client."] : []),
    "import boto3",
    "",
    `client = boto3.client("${client}", endpoint_url=${endpoint ?? '"http://127.0.0.1:4020"'}, region_name="us-east-1")`,
    `answer = client.${pythonName(command)}(${values})`,
  ].join("\n");
}
