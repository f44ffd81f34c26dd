/** How the console's app is bundled: one entry, a piece for each page, and the common look as part of its style sheet. */
import { defineConfig, type Plugin } from "vite";
import { styleWith } from "../src/kernel/html/look.ts";

const LOOK = "virtual:look.css";
/** The look of all pages is kept by the kernel as text; the app's own sheet comes after it. */
const look: Plugin = {
  name: "look",
  resolveId: (id) => (id === LOOK ? `\0${LOOK}` : undefined),
  load: (id) => (id === `\0${LOOK}` ? styleWith("") : undefined),
};

export default defineConfig({
  root: "console",
  base: "/console/",
  publicDir: false,
  plugins: [look],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../dist/console",
    emptyOutDir: true,
    manifest: "manifest.json",
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    target: "es2022",
    rolldownOptions: { input: "console/main.tsx" },
  },
});
