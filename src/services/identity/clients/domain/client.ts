/** A registered client, and its public description. */
import type { ClientMetadata } from "./metadata.ts";

export type Client = {
  readonly clientId: string;
  readonly account: string;
  readonly metadata: ClientMetadata;
  readonly secretDigest: string | undefined;
  readonly secretSealed: string | undefined;
  /** Until this time, wrong guesses may count. Most clients never have any. */
  readonly guessedUntilMs: number;
  readonly createdAtMs: number;
};

/** The part of a client's metadata that people may see. */
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
