/** One line or a few per service, on the same product process. */
import { configurationLines } from "./configuration-stores.mjs";
import { identityLines } from "./identity.mjs";

export async function serviceLines(servers) {
  return [...(await identityLines(servers)), ...(await configurationLines(servers))];
}
