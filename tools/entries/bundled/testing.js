import { createRequire } from "node:module";

export const { sampleService } = await createRequire(import.meta.url)("../load.cjs").testing();
