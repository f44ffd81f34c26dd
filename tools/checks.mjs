/** What is checked without running the product, in order: of the whole project, and of a room that was just made. */
export const checks = [
  ["build", "npm", "run", "-s", "build"],
  ["types", "npx", "tsc", "--noEmit"],
  ["types of the console", "npx", "tsc", "-p", "console"],
  ["Python sources", "node", "tools/python.mjs"],
  ["expressions that take long", "node", "tools/expressions.mjs"],
  ["OpenAPI and promised operations", "node", "tools/contract.mjs"],
];
/** For readers of the code and the documents. These belong to the second part of the tests. */
export const structureChecks = [
  ["format and lint", "npx", "biome", "ci", "--error-on-warnings", "."],
  ["prose of the documents", "node", "tools/prose.mjs"],
  ["import rules", "node", "tools/import-rules.mjs"],
  ["dead exports and unused dependencies", "node", "tools/dead-code.mjs"],
];
