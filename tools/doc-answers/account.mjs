/** The one account of every run. The examples of the declarations name it too. */
import { fileURLToPath } from "node:url";
import { startMedley } from "../../dist/index.js";

const CREDENTIALS = fileURLToPath(new URL("credentials.json", import.meta.url));
const COLLEAGUE = "210987654321";

export const startServer = (options = {}) =>
  startMedley({
    memory: true,
    logLevel: "silent",
    credentialsFile: CREDENTIALS,
    backupOrganization: ["123456789012", COLLEAGUE],
    bankRateLimit: 0,
    ...options,
  });
