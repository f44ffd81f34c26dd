/** Where the built file of a worker is: workers run built JavaScript even when their owner runs from TypeScript sources. */
import { fileURLToPath } from "node:url";

/** `name` is the worker's file name without extension, beside the module whose `import.meta.url` is given. */
export function workerFile(moduleUrl: string, name: string): string {
  const isSource = moduleUrl.endsWith(".ts");
  const cut = moduleUrl.lastIndexOf("/src/");
  const twin =
    isSource && cut !== -1 ? `${moduleUrl.slice(0, cut)}/dist/${moduleUrl.slice(cut + 5)}` : moduleUrl;
  return fileURLToPath(new URL(`./${name}.js`, twin));
}
