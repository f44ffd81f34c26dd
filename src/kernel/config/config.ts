/** Settings: flags, `MEDLEY_*` variables and a file, in that order of strength. The sole reader of the environment. */
import { readFileSync } from "node:fs";

export type CarrierSettings = {
  readonly host: string;
  readonly port: number;
  readonly username?: string;
  readonly password?: string;
  readonly from?: string;
};

export type Config = {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly tlsPort: number;
  readonly dataFolder: string;
  readonly memory: boolean;
  readonly databaseUrl: string | undefined;
  readonly databaseConnectionsMax: number;
  /** Undefined: all. */
  readonly services: readonly string[] | undefined;
  readonly credentialsFile: string | undefined;
  /** Networks and host names that outbound calls may reach although they are private. */
  readonly allowedNetworks: readonly string[];
  /** How long provisioning and similar background work takes on the kernel clock. */
  readonly provisioningSeconds: number;
  readonly strictParents: boolean;
  readonly jobLeaseSeconds: number;
  readonly jobPollMs: number;
  readonly requestLogSize: number;
  readonly logLevel: "silent" | "error" | "info" | "debug";
  /** Answers that break their own declaration become errors: for tests. */
  readonly strictAnswers: boolean;
  /** Folder where a test run notes which operation answered which status. */
  readonly recordFolder: string | undefined;
  readonly secretKey: string | undefined;
  /** A SIP peer that voice calls go to. */
  readonly carrier: CarrierSettings | undefined;
  /** For commands: the server to talk to, and its admin token. */
  readonly url: string | undefined;
  readonly token: string | undefined;
};

export const defaultConfig: Config = {
  host: "127.0.0.1",
  port: 4020,
  tls: false,
  tlsPort: 4021,
  dataFolder: ".medley",
  memory: false,
  databaseUrl: undefined,
  databaseConnectionsMax: 10,
  services: undefined,
  credentialsFile: undefined,
  allowedNetworks: [],
  provisioningSeconds: 2,
  strictParents: false,
  jobLeaseSeconds: 15,
  jobPollMs: 250,
  requestLogSize: 500,
  logLevel: "info",
  strictAnswers: false,
  recordFolder: undefined,
  secretKey: undefined,
  carrier: undefined,
  url: undefined,
  token: undefined,
};

type Reader = (text: string) => unknown;
const asText: Reader = (text) => text;
const asList: Reader = (text) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
const asNumber: Reader = (text) => {
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0) throw new ConfigError(`"${text}" is not a number`);
  return value;
};
const asFlag: Reader = (text) => {
  if (["1", "true", "yes", ""].includes(text)) return true;
  if (["0", "false", "no"].includes(text)) return false;
  throw new ConfigError(`"${text}" is neither true nor false`);
};
const asCarrier: Reader = (text) => {
  const url = URL.canParse(text.replace(/^sip:/, "sip://"))
    ? new URL(text.replace(/^sip:(?!\/\/)/, "sip://"))
    : undefined;
  if (url?.protocol !== "sip:" || url.hostname === "")
    throw new ConfigError(`"${text}" is not a sip:host:port address`);
  return {
    host: url.hostname,
    port: Number(url.port || 5060),
    ...(url.username && { username: decodeURIComponent(url.username) }),
    ...(url.password && { password: decodeURIComponent(url.password) }),
    ...(url.searchParams.get("from") && { from: url.searchParams.get("from") }),
  };
};

export class ConfigError extends Error {}

export type Setting = {
  readonly flag: string;
  readonly key: keyof Config;
  readonly read: Reader;
  readonly help: string;
};
export const settings: readonly Setting[] = [
  { flag: "host", key: "host", read: asText, help: "address to listen on (127.0.0.1)" },
  { flag: "port", key: "port", read: asNumber, help: "port (4020); 0 picks a free one" },
  { flag: "tls", key: "tls", read: asFlag, help: "serve HTTPS as well, with a local authority" },
  { flag: "tls-port", key: "tlsPort", read: asNumber, help: "port for HTTPS (4021)" },
  { flag: "data", key: "dataFolder", read: asText, help: "data folder (.medley)" },
  { flag: "memory", key: "memory", read: asFlag, help: "keep nothing on disk" },
  { flag: "database", key: "databaseUrl", read: asText, help: "postgres://… to share with other nodes" },
  {
    flag: "database-connections",
    key: "databaseConnectionsMax",
    read: asNumber,
    help: "PostgreSQL connections per node (10)",
  },
  { flag: "services", key: "services", read: asList, help: "only these services, by name" },
  { flag: "credentials", key: "credentialsFile", read: asText, help: "JSON file of accounts to load" },
  {
    flag: "allow-network",
    key: "allowedNetworks",
    read: asList,
    help: "private networks or hosts that outbound calls may reach",
  },
  {
    flag: "provisioning-seconds",
    key: "provisioningSeconds",
    read: asNumber,
    help: "duration of background provisioning (2)",
  },
  {
    flag: "strict-parents",
    key: "strictParents",
    read: asFlag,
    help: "parents such as resource groups must exist beforehand",
  },
  {
    flag: "job-lease-seconds",
    key: "jobLeaseSeconds",
    read: asNumber,
    help: "after this long a silent node's jobs are taken over (15)",
  },
  { flag: "job-poll-ms", key: "jobPollMs", read: asNumber, help: "how often to look for due work (250)" },
  {
    flag: "request-log-size",
    key: "requestLogSize",
    read: asNumber,
    help: "how many recent requests to keep (500)",
  },
  { flag: "log-level", key: "logLevel", read: asText, help: "silent, error, info or debug (info)" },
  { flag: "secret-key", key: "secretKey", read: asText, help: "key that encrypts stored signing secrets" },
  {
    flag: "carrier",
    key: "carrier",
    read: asCarrier,
    help: "sip:user:password@host:port that voice calls go to",
  },
  {
    flag: "record-folder",
    key: "recordFolder",
    read: asText,
    help: "note answered statuses here (for test runs)",
  },
  {
    flag: "strict-answers",
    key: "strictAnswers",
    read: asFlag,
    help: "check every answer against its declaration (for test runs)",
  },
];

const variableOf = (flag: string): string => `MEDLEY_${flag.toUpperCase().replaceAll("-", "_")}`;

export type FlagValues = Readonly<Record<string, string | boolean | undefined>>;

/** Flags win over variables, variables over the file, the file over defaults. */
export function readConfig(flags: FlagValues, environment: NodeJS.ProcessEnv = process.env): Config {
  const file = flags.config ?? environment.MEDLEY_CONFIG;
  const fromFile = typeof file === "string" ? readConfigFile(file) : {};
  const config: Record<string, unknown> = { ...defaultConfig };
  for (const { flag, key, read } of settings) {
    const given = flags[flag] ?? environment[variableOf(flag)] ?? fromFile[flag];
    if (given === undefined) continue;
    config[key] = typeof given === "string" ? naming(flag, () => read(given)) : given;
  }
  config.url = environment.MEDLEY_URL;
  config.token = environment.MEDLEY_TOKEN;
  return config as Config;
}

function naming(flag: string, read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    throw new ConfigError(`--${flag}: ${(error as Error).message}`);
  }
}

function readConfigFile(path: string): Record<string, unknown> {
  try {
    const content: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (content === null || typeof content !== "object") throw new Error("it is not a JSON object");
    return content as Record<string, unknown>;
  } catch (error) {
    throw new ConfigError(`--config ${path}: ${(error as Error).message}`);
  }
}

export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || host === "127.0.0.1" || host.startsWith("127.");
