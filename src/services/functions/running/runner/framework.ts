/** What stands for the public framework's package in sources that do not bring it. */
export const FRAMEWORK_FILES: Readonly<Record<string, string>> = {
  "node_modules/@google-cloud/functions-framework/package.json": JSON.stringify({
    name: "@google-cloud/functions-framework",
    version: "0.0.0-medley",
    main: "index.js",
  }),
  "node_modules/@google-cloud/functions-framework/index.js": `"use strict";
const REGISTERED = Symbol.for("medley.functions.registered");
const registered = (globalThis[REGISTERED] ??= new Map());
const register = (signature) => (name, given) => {
  if (typeof name === "function") registered.set(process.env.FUNCTION_TARGET, { signature, given: name });
  else registered.set(name, { signature, given });
};
exports.http = register("http");
exports.cloudEvent = register("cloudevent");
exports.event = register("event");
exports.typed = register("typed");
`,
};
