/** The maker's clients for signed services. */
import { type AccountName, accounts, type Instance } from "./medley.ts";

/** Options of a client that tries once. */
export function clientOptions(
  instance: Instance,
  service: string,
  as: AccountName = "first",
  region = "us-east-1",
) {
  const [key] = accounts[as].accessKeys;
  return {
    endpoint: `${instance.url}/${service}`,
    region,
    credentials: { accessKeyId: key!.id, secretAccessKey: key!.secret },
    maxAttempts: 1,
  };
}

/** The name of the error that a request is refused with. */
export const refusalOf = (sent: Promise<unknown>): Promise<string> =>
  sent.then(
    () => "accepted",
    ({ name }: Error) => name,
  );
