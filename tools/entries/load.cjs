/**
 * Loads the bundle with V8's code cache, so that a start compiles next to nothing. The build writes the cache. Where
 * another Node runs the product, its first server writes one, if it may write here.
 */
"use strict";
const { readFileSync, renameSync, writeFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { join } = require("node:path");
const { Script } = require("node:vm");

const BUNDLE = join(__dirname, "medley.cjs");
const CACHE = join(__dirname, `medley.${process.version}-${process.arch}.cache`);
/** By then a server is up, and no command still runs. */
const SAVE_AFTER_MS = 20_000;

function readCache() {
  try {
    return readFileSync(CACHE);
  } catch {
    return undefined;
  }
}
const source = readFileSync(BUNDLE, "latin1");
const script = new Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
  filename: BUNDLE,
  cachedData: readCache(),
});
/** Keeps what has been compiled so far. */
function saveCode() {
  try {
    writeFileSync(`${CACHE}.new`, script.createCachedData());
    renameSync(`${CACHE}.new`, CACHE);
  } catch {
    // Read-only: every start compiles.
  }
}
if (script.cachedDataRejected !== false) setTimeout(saveCode, SAVE_AFTER_MS).unref();

const bundle = { exports: {} };
script.runInThisContext()(bundle.exports, createRequire(BUNDLE), bundle, BUNDLE, __dirname);
module.exports = { ...bundle.exports, saveCode };
