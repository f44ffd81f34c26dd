/** Packages that only some requests need: loaded on first use. */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** The package of this name, loaded once. */
export function packageOnUse<Package>(name: string): () => Package {
  let loaded: Package | undefined;
  return () => {
    loaded ??= require(name) as Package;
    return loaded;
  };
}
