/** Packages that only some requests need: loaded with the first of those, not with the process. */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** The package of this name, the same with each call. */
export function packageOnUse<Package>(name: string): () => Package {
  let loaded: Package | undefined;
  return () => {
    loaded ??= require(name) as Package;
    return loaded;
  };
}
