/** The metadata of a client, and the rules for its redirects. */
import { type ApplicationType, findRedirectProblem, isLoopbackHost } from "./redirect-uris.ts";

export const SIGNING_ALGORITHMS = ["RS256", "ES256", "EdDSA"] as const;
export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number];
export type IdTokenAlgorithm = SigningAlgorithm | "HS256";
export const ID_TOKEN_ALGORITHMS = [...SIGNING_ALGORITHMS, "HS256"] as const;
export const AUTH_METHODS = ["client_secret_basic", "client_secret_post", "none"] as const;
export type AuthMethod = (typeof AUTH_METHODS)[number];
export const GRANT_TYPES = ["authorization_code", "implicit"] as const;
export const SUBJECT_TYPES = ["public", "pairwise"] as const;

export type SectorMetadata = {
  readonly sectorIdentifierUri?: string;
  /** Only of pairwise clients. */
  readonly sector?: string;
};

export type LogoutMetadata = {
  readonly backchannelLogoutUri?: string;
  readonly backchannelSessionRequired?: boolean;
  readonly frontchannelLogoutUri?: string;
  readonly frontchannelSessionRequired?: boolean;
};

/** The stored form: complete, with one spelling. */
export type ClientMetadata = {
  readonly name: string;
  readonly uri: string;
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  readonly responseTypes: readonly string[];
  readonly grantTypes: readonly string[];
  readonly applicationType: ApplicationType;
  readonly contacts: readonly string[];
  readonly logoUri?: string;
  readonly policyUri?: string;
  readonly tosUri?: string;
  readonly defaultMaxAgeSeconds?: number;
  readonly defaultScopes: readonly string[];
  /** Actions that its access tokens may permit besides claims, in the syntax of policies. */
  readonly permissions: readonly string[];
  /** Undefined: the secret may come either way. */
  readonly authMethod?: AuthMethod;
  readonly idTokenAlgorithm: IdTokenAlgorithm;
  readonly testMode: boolean;
} & SectorMetadata &
  LogoutMetadata;

/** Exactly as registered, character by character; or any sound address while the client is in test mode. */
export function mayRedirectTo(metadata: ClientMetadata, uri: string): "registered" | "test-mode" | undefined {
  if (metadata.redirectUris.includes(uri)) return "registered";
  return metadata.testMode && findRedirectProblem(uri, metadata) === undefined ? "test-mode" : undefined;
}

/** In test mode only a loopback address is as trustworthy as a registered one. */
export const needsConfirmation = (metadata: ClientMetadata, uri: string): boolean =>
  mayRedirectTo(metadata, uri) === "test-mode" && !isLoopbackHost(new URL(uri).hostname);
