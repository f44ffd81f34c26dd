/** One line or a few per service, on the same product process. */
import { brailleLines } from "./braille.mjs";
import { configurationLines } from "./configuration-stores.mjs";
import { contributionSendingLines } from "./contributions-sending.mjs";
import { functionLines } from "./functions.mjs";
import { identityLines } from "./identity.mjs";
import { resourceGroupLines } from "./resource-groups.mjs";
import { roboticsLines } from "./robotics.mjs";

export async function serviceLines(servers) {
  return [
    ...(await brailleLines(servers)),
    ...(await identityLines(servers)),
    ...(await configurationLines(servers)),
    ...(await resourceGroupLines(servers)),
    ...(await functionLines(servers)),
    ...(await roboticsLines(servers)),
    ...(await contributionSendingLines(servers)),
  ];
}
