/** Settings: flags override `MEDLEY_*` variables, which override a file. Only this module reads the environment. */
import { isIP } from "node:net";
import { naming, readConfigFile, textOf } from "./given.ts";
import {
  asDatabase,
  asFlag,
  asLineFormat,
  asList,
  asLogLevel,
  asNetworks,
  asNumber,
  asObjects,
  asOrigin,
  asPort,
  asText,
  asWhole,
} from "./readers.ts";
import { type Setting, variableOf } from "./setting.ts";

export type Config = {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly tlsPort: number;
  /** Scheme and host of this installation for callers behind a proxy: `https://id.example.org`. */
  readonly publicUrl: string | undefined;
  /** Proxies (addresses and networks) whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  readonly dataFolder: string;
  readonly memory: boolean;
  readonly databaseUrl: string | undefined;
  readonly databaseConnectionsMax: number;
  /** A standby for reads that may be old. */
  readonly readDatabase: string | undefined;
  readonly readDatabaseLagSeconds: number;
  /** `s3://bucket/prefix`: where large bytes go instead of the database. */
  readonly objects: string | undefined;
  readonly objectsEndpoint: string | undefined;
  readonly objectsRegion: string;
  /** Whether the bucket is in the path or in the host name. Default: in the path if there is an endpoint. */
  readonly objectsPathStyle: boolean | undefined;
  readonly objectsKeyId: string | undefined;
  readonly objectsSecret: string | undefined;
  /** For one object, retries included. */
  readonly objectsTimeoutSeconds: number;
  /** For how long an object stays that no row names. */
  readonly objectsGraceSeconds: number;
  /** Undefined: all. */
  readonly services: readonly string[] | undefined;
  readonly credentialsFile: string | undefined;
  /** Private networks and host names that outbound calls may reach. */
  readonly allowedNetworks: readonly string[];
  /** Authorities that outbound TLS trusts in addition to the well-known ones: PEM files, or their text. */
  readonly outboundAuthorities: readonly string[];
  /** The duration of provisioning and similar work on the kernel clock. */
  readonly provisioningSeconds: number;
  readonly strictParents: boolean;
  /** The timeout of a gateway for the head of a backend's answer, and between two parts of it. */
  readonly gatewayTimeoutSeconds: number;
  readonly jobLeaseSeconds: number;
  readonly jobPollMs: number;
  /** Whether signed requests may leave the body out of the signature. */
  readonly allowUnsignedPayload: boolean;
  /** A caller who reads nothing of an answer for this time is disconnected. */
  readonly writeTimeoutSeconds: number;
  /** The limit of unread answers, all callers together. */
  readonly unreadBytesMax: number;
  readonly requestLogSize: number;
  readonly requestLogBytesMax: number;
  /** The memory for request bodies, all callers together. */
  readonly bodyMemoryBytesMax: number;
  readonly bodyDiskBytesMax: number;
  /** The memory for decoded pictures, all together. */
  readonly pictureMemoryBytesMax: number;
  readonly logLevel: "silent" | "error" | "info" | "debug";
  /** A line on standard error for each request; none when absent. */
  readonly logRequests?: "text" | "json";
  /** For tests: an answer that breaks its declaration becomes an error. */
  readonly strictAnswers: boolean;
  /** The folder where a test run records which operation answered which status. */
  readonly recordFolder: string | undefined;
  readonly secretKey: string | undefined;
  /** For commands: the server to talk to, and its admin token. */
  readonly url: string | undefined;
  readonly token: string | undefined;
};

export const defaultConfig: Config = {
  host: "127.0.0.1",
  port: 4020,
  tls: false,
  tlsPort: 4021,
  publicUrl: undefined,
  trustedProxies: [],
  dataFolder: ".medley",
  memory: false,
  databaseUrl: undefined,
  databaseConnectionsMax: 10,
  readDatabase: undefined,
  readDatabaseLagSeconds: 5,
  objects: undefined,
  objectsEndpoint: undefined,
  objectsRegion: "us-east-1",
  objectsPathStyle: undefined,
  objectsKeyId: undefined,
  objectsSecret: undefined,
  objectsTimeoutSeconds: 10,
  objectsGraceSeconds: 86_400,
  services: undefined,
  credentialsFile: undefined,
  allowedNetworks: [],
  outboundAuthorities: [],
  provisioningSeconds: 2,
  strictParents: false,
  gatewayTimeoutSeconds: 300,
  jobLeaseSeconds: 15,
  jobPollMs: 250,
  allowUnsignedPayload: false,
  writeTimeoutSeconds: 30,
  unreadBytesMax: 256 * 1024 * 1024,
  requestLogSize: 500,
  requestLogBytesMax: 16 * 1024 * 1024,
  bodyMemoryBytesMax: 256 * 1024 * 1024,
  pictureMemoryBytesMax: 1024 * 1024 * 1024,
  bodyDiskBytesMax: 4 * 1024 * 1024 * 1024,
  logLevel: "info",
  strictAnswers: false,
  recordFolder: undefined,
  secretKey: undefined,
  url: undefined,
  token: undefined,
};

type KernelSetting = Setting & { readonly key: keyof Config };
const objectSettings: readonly KernelSetting[] = [
  {
    flag: "objects",
    key: "objects",
    read: asObjects,
    help: "s3://bucket/prefix: stores large objects there instead of in the database",
  },
  {
    flag: "objects-endpoint",
    key: "objectsEndpoint",
    read: asOrigin,
    help: "https://… of the object store, if it is not Amazon S3",
  },
  {
    flag: "objects-region",
    key: "objectsRegion",
    read: asText,
    help: "region of the object store (us-east-1)",
  },
  {
    flag: "objects-path-style",
    key: "objectsPathStyle",
    read: asFlag,
    help: "true or false: the bucket is part of the path (true with --objects-endpoint)",
  },
  { flag: "objects-key-id", key: "objectsKeyId", read: asText, help: "access key of the object store" },
  { flag: "objects-secret", key: "objectsSecret", read: asText, help: "secret of that access key" },
  {
    flag: "objects-timeout-seconds",
    key: "objectsTimeoutSeconds",
    read: asWhole(1, 600),
    help: "timeout of storing or reading one object (10); then 503",
  },
  {
    flag: "objects-grace-seconds",
    key: "objectsGraceSeconds",
    read: asWhole(0, 366 * 86_400),
    help: "an unused object is deleted after this time (86400)",
  },
];
const everyday: readonly KernelSetting[] = [
  { flag: "host", key: "host", read: asText, help: "address to listen on (127.0.0.1)" },
  { flag: "port", key: "port", read: asPort, help: "port (4020); 0 picks a free one" },
  {
    flag: "tls",
    key: "tls",
    read: asFlag,
    isSwitch: true,
    help: "serve HTTPS as well, with a local authority",
  },
  { flag: "tls-port", key: "tlsPort", read: asPort, help: "port for HTTPS (4021)" },
  {
    flag: "public-url",
    key: "publicUrl",
    read: asOrigin,
    help: "https://… that callers use, if there is a proxy",
  },
  {
    flag: "trusted-proxies",
    key: "trustedProxies",
    read: asNetworks,
    help: "addresses or networks of proxies whose X-Forwarded-For is trusted",
  },
  { flag: "data", key: "dataFolder", option: "data", read: asText, help: "data folder (.medley)" },
  { flag: "memory", key: "memory", read: asFlag, isSwitch: true, help: "keep nothing on disk" },
  {
    flag: "database",
    key: "databaseUrl",
    option: "database",
    read: asDatabase,
    help: "postgres://… shared with other nodes; several hosts for failover: postgres://a,b/name",
  },
  {
    flag: "database-connections",
    key: "databaseConnectionsMax",
    read: asWhole(1, 1000),
    help: "PostgreSQL connections per node (10)",
  },
  {
    flag: "read-database",
    key: "readDatabase",
    read: asDatabase,
    help: "postgres://… of a streaming standby, for console lists and metrics",
  },
  {
    flag: "read-database-lag-seconds",
    key: "readDatabaseLagSeconds",
    read: asWhole(2, 3600),
    help: "a standby with a larger lag is not used (5)",
  },
  ...objectSettings,
  { flag: "services", key: "services", read: asList, help: "only these services, by name" },
  { flag: "credentials", key: "credentialsFile", read: asText, help: "JSON file of accounts to load" },
  {
    flag: "allow-network",
    key: "allowedNetworks",
    read: asList,
    help: "private networks or hosts that outbound calls may reach",
  },
  {
    flag: "outbound-authorities",
    key: "outboundAuthorities",
    read: asList,
    help: "PEM files of further certificate authorities for outbound TLS",
  },
  {
    flag: "provisioning-seconds",
    key: "provisioningSeconds",
    read: asNumber,
    help: "duration of background provisioning (2)",
  },
  {
    flag: "gateway-timeout-seconds",
    key: "gatewayTimeoutSeconds",
    read: asNumber,
    help: "timeout of an API gateway's backend (300)",
  },
  {
    flag: "strict-parents",
    key: "strictParents",
    read: asFlag,
    isSwitch: true,
    help: "parents such as resource groups must exist before a resource is created",
  },
  {
    flag: "job-lease-seconds",
    key: "jobLeaseSeconds",
    read: asWhole(1, 86_400),
    help: "lease of a running job; after it, another node runs the job (15)",
  },
  {
    flag: "job-poll-ms",
    key: "jobPollMs",
    read: asWhole(1, 600_000),
    help: "interval of polling for jobs that other nodes added (250)",
  },
  {
    flag: "allow-unsigned-payload",
    key: "allowUnsignedPayload",
    read: asFlag,
    isSwitch: true,
    help: "accept signed requests whose signature does not cover the body",
  },
  {
    flag: "write-timeout-seconds",
    key: "writeTimeoutSeconds",
    read: asWhole(1, 3600),
    help: "a connection whose caller reads nothing for this time is closed (30)",
  },
  {
    flag: "unread-bytes",
    key: "unreadBytesMax",
    read: asWhole(1, 64 * 1024 ** 3),
    help: "memory for unread answers of all connections (268435456)",
  },
  {
    flag: "request-log-size",
    key: "requestLogSize",
    read: asWhole(1, 100_000),
    help: "number of requests in the request log (500)",
  },
  {
    flag: "request-log-bytes",
    key: "requestLogBytesMax",
    read: asWhole(1, 1024 ** 3),
    help: "size of the request log (16777216); the oldest requests are dropped first",
  },
  {
    flag: "body-memory-bytes",
    key: "bodyMemoryBytesMax",
    read: asWhole(1024 * 1024, Number.MAX_SAFE_INTEGER),
    help: "memory for bodies of all current requests (268435456); beyond it 503",
  },
  {
    flag: "body-disk-bytes",
    key: "bodyDiskBytesMax",
    read: asWhole(1024 * 1024, Number.MAX_SAFE_INTEGER),
    help: "disk for current large bodies and exports (4294967296); beyond it 503",
  },
  {
    flag: "picture-memory-bytes",
    key: "pictureMemoryBytesMax",
    read: asWhole(1024 * 1024, Number.MAX_SAFE_INTEGER),
    help: "memory for pictures that are being decoded (1073741824); others wait",
  },
  { flag: "log-level", key: "logLevel", read: asLogLevel, help: "silent, error, info or debug (info)" },
  {
    flag: "log-requests",
    key: "logRequests",
    read: asLineFormat,
    help: "text or json: a line on standard error for each request",
  },
  { flag: "secret-key", key: "secretKey", read: asText, help: "key that encrypts stored signing secrets" },
];
const forTestRuns: readonly KernelSetting[] = [
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
    isSwitch: true,
    help: "check every answer against its declaration (for test runs)",
  },
];

/** The settings of the kernel and of all services. */
export const settingsWith = (declared: readonly Setting[]): readonly Setting[] => [
  ...everyday,
  ...declared,
  ...forTestRuns,
];

export type FlagValues = Readonly<Record<string, string | boolean | undefined>>;

/**
 * Flags override variables, variables override the file, and the file overrides defaults. An empty variable counts
 * as not set.
 */
export function readConfig(
  flags: FlagValues,
  environment: NodeJS.ProcessEnv = process.env,
  settings: readonly Setting[] = settingsWith([]),
): Config {
  const file = flags.config ?? environment.MEDLEY_CONFIG;
  const fromFile = typeof file === "string" ? readConfigFile(file, settings) : {};
  const config: Record<string, unknown> = { ...defaultConfig };
  for (const { flag, key, read } of settings) {
    const given = flags[flag] ?? (environment[variableOf(flag)] || undefined) ?? fromFile[flag];
    if (given === undefined) continue;
    config[key] = naming(`--${flag}`, () => read(textOf(given)));
  }
  config.url = environment.MEDLEY_URL || undefined;
  config.token = environment.MEDLEY_TOKEN || undefined;
  return config as Config;
}

/** `127.example.org` is an ordinary name, which may lead anywhere. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
/** Names that lead every caller to its own machine. An IPv6 address may be in brackets. */
export const isLocalName = (name: string): boolean =>
  isLoopback(name.replace(/^\[(.*)\]$/, "$1")) || name.endsWith(".localhost");
/** No other machine reaches the server. A server on loopback that a proxy leads to is as open as the proxy. */
export const isForThisMachineAlone = (config: Config): boolean =>
  isLoopback(config.host) && config.publicUrl === undefined && config.trustedProxies.length === 0;
/** A page of another site may have its name lead to this machine: then the host is not one of this machine's. */
export const isLocalHost = (host: string | undefined): boolean =>
  isLocalName((host ?? "").replace(/:\d+$/, ""));
