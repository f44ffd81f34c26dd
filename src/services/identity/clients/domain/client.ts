/** A registered client, and what people may be told of it. */
import type { ClientMetadata } from "./metadata.ts";

export type Client = {
  readonly clientId: string;
  readonly account: string;
  readonly metadata: ClientMetadata;
  readonly secretDigest: string | undefined;
  readonly secretSealed: string | undefined;
  /** Until then somebody's wrong guesses may count; most clients never see one. */
  readonly guessedUntilMs: number;
  readonly createdAtMs: number;
};

/** What people may be told about an application. */
export type ClientCard = {
  readonly clientId: string;
  readonly account: string;
  readonly name: string;
  readonly uri: string;
  readonly logoUri?: string;
  readonly policyUri?: string;
  readonly tosUri?: string;
  readonly testMode: boolean;
};

export const cardOf = ({ clientId, account, metadata }: Client): ClientCard => ({
  clientId,
  account,
  name: metadata.name,
  uri: metadata.uri,
  testMode: metadata.testMode,
  ...(metadata.logoUri !== undefined && { logoUri: metadata.logoUri }),
  ...(metadata.policyUri !== undefined && { policyUri: metadata.policyUri }),
  ...(metadata.tosUri !== undefined && { tosUri: metadata.tosUri }),
});
