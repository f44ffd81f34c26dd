"use strict";
// Test runners such as jest load modules in a context of their own: the bundle is loaded by Node's own `require`.
const { createRequire } = process.getBuiltinModule?.("node:module") ?? require("node:module");

exports.startMedley = createRequire(__filename)("./load.cjs").startMedley;
