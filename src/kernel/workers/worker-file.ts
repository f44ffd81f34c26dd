/** The path of a built worker file. Threads run built JavaScript even if their owner runs from TypeScript sources. */
import { fileURLToPath } from "node:url";

/**
 * `path` is the worker's file below the root of the sources, such as `services/braille/translator/worker.js`.
 * `moduleUrl` is the `import.meta.url` of any module of the product: a source, a built file, or the bundle it became part of.
 */
export function workerFile(moduleUrl: string, path: string): string {
  const root = moduleUrl.endsWith(".ts") ? "/src/" : "/dist/";
  return fileURLToPath(`${moduleUrl.slice(0, moduleUrl.lastIndexOf(root))}/dist/${path}`);
}
