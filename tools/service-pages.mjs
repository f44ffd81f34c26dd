/** Scripts of services' own pages: each entry of console/service-pages as one script in dist/service-pages. */
import { readdirSync } from "node:fs";
import { build } from "esbuild";
import { replaceFolder } from "./transpile.mjs";

const SOURCES = "console/service-pages";

export async function buildServicePages() {
  const { outputFiles } = await build({
    entryPoints: readdirSync(SOURCES)
      .filter((name) => name.endsWith(".ts"))
      .map((name) => `${SOURCES}/${name}`),
    outdir: "dist/service-pages",
    write: false,
    bundle: true,
    platform: "browser",
    format: "iife",
    target: "es2022",
    minify: true,
    legalComments: "none",
    logLevel: "warning",
  });
  replaceFolder("service-pages", outputFiles);
}
