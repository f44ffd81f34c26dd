/**
 * The types of `import { startMedley } from "medley"`. They stand by themselves, so that their importers need no
 * other types. The build copies this file into the package; a test holds it against the types that the product uses.
 */

/** A SIP peer that voice calls go to. */
export type Carrier = {
  readonly host: string;
  readonly port: number;
  readonly username?: string;
  readonly password?: string;
  /** The caller's number where a call names none. */
  readonly from?: string;
};

export type StartOptions = {
  /** Keeps state in this folder; in memory when absent. */
  readonly data?: string;
  /** `postgres://…`: keeps state there instead. */
  readonly database?: string;
  readonly databaseConnectionsMax?: number;
  /** `postgres://…` of a streaming standby: console lists and metrics read it. */
  readonly readDatabase?: string;
  readonly readDatabaseLagSeconds?: number;
  /** `s3://bucket/prefix`: keeps large bytes there instead of in the database. */
  readonly objects?: string;
  readonly objectsEndpoint?: string;
  readonly objectsRegion?: string;
  readonly objectsPathStyle?: boolean;
  readonly objectsKeyId?: string;
  readonly objectsSecret?: string;
  readonly objectsTimeoutSeconds?: number;
  readonly objectsGraceSeconds?: number;
  /** Names of the services to mount; all when absent. */
  readonly services?: readonly string[];
  /** A JSON file with accounts and their secrets; one account with random secrets is made when absent. */
  readonly credentialsFile?: string;
  readonly host?: string;
  /** A free port when absent. */
  readonly port?: number;
  /** Serves HTTPS as well, with a certificate authority of its own. */
  readonly tls?: boolean;
  readonly tlsPort?: number;
  /** The address by which callers know the instance, where a proxy stands before it. */
  readonly publicUrl?: string;
  /** Proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies?: readonly string[];
  readonly memory?: boolean;
  /** Networks and host names that outbound calls may reach although they are private. */
  readonly allowedNetworks?: readonly string[];
  /** Certificate authorities that outbound TLS trusts besides the well-known ones: PEM files, or their text. */
  readonly outboundAuthorities?: readonly string[];
  /** How long provisioning takes on the instance's clock; 0 when absent. */
  readonly provisioningSeconds?: number;
  readonly strictParents?: boolean;
  readonly gatewayTimeoutSeconds?: number;
  readonly jobLeaseSeconds?: number;
  readonly jobPollMs?: number;
  readonly allowUnsignedPayload?: boolean;
  readonly writeTimeoutSeconds?: number;
  readonly unreadBytesMax?: number;
  readonly requestLogSize?: number;
  readonly requestLogBytesMax?: number;
  readonly bodyMemoryBytesMax?: number;
  readonly bodyDiskBytesMax?: number;
  readonly pictureMemoryBytesMax?: number;
  /** `error` when absent. */
  readonly logLevel?: "silent" | "error" | "info" | "debug";
  /** A line on standard error for each request. */
  readonly logRequests?: "text" | "json";
  /** Answers that break their own declaration become errors. */
  readonly strictAnswers?: boolean;
  /** Folder in which each answer's operation and status is recorded. */
  readonly recordFolder?: string;
  readonly secretKey?: string;
  readonly bankRateLimit?: number;
  /** The account whose sandbox users anybody may make. */
  readonly bankOpenSandbox?: string;
  readonly brailleEngine?: "auto" | "bundled";
  readonly contributionsMediaMb?: number;
  readonly faceIndexMb?: number;
  readonly faceDemographics?: "on" | "off";
  readonly carrier?: Carrier;
};

export type Account = {
  /** Twelve digits. */
  readonly id: string;
  readonly name?: string;
  readonly apiKeys?: readonly string[];
  readonly accessKeys?: readonly {
    readonly id: string;
    readonly secret: string;
    readonly sessionToken?: string;
  }[];
  readonly tokens?: readonly string[];
  readonly basic?: readonly { readonly username: string; readonly password: string }[];
  readonly users?: readonly {
    readonly username: string;
    readonly password: string;
    readonly name?: string;
    readonly email?: string;
  }[];
  readonly policies?: readonly {
    readonly effect: "Allow" | "Deny";
    readonly actions: readonly string[];
    readonly resources: readonly string[];
  }[];
  readonly admin?: boolean;
};

export type Medley = {
  readonly url: string;
  readonly tlsUrl: string | undefined;
  readonly certificateAuthorityPem: string | undefined;
  /** The accounts with their plain secrets. */
  readonly credentials: { readonly accounts: readonly Account[] };
  readonly clock: {
    /** Epoch milliseconds. */
    nowMs(): number;
    freeze(): Promise<void>;
    /** `"36h"`, `"PT36H"` or milliseconds; answers what ran, up to a thousand runs. */
    advance(by: string | number): Promise<readonly { readonly name: string; readonly outcome: string }[]>;
    resume(): Promise<void>;
  };
  /** Clears state; accounts stay. */
  reset(filter?: { readonly service?: string; readonly account?: string }): Promise<void>;
  stop(): Promise<void>;
};
