import { createRequire } from "node:module";

export const { apiKeyIn, bearer, plain, sigv4 } = await createRequire(import.meta.url)(
  "../load.cjs",
).protocols();
