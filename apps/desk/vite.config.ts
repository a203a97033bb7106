import { fileURLToPath } from "node:url";
import { defaultClientConditions, defineConfig } from "vite";

/** Builds the desk: its files are named by a hash of their content and served under /desk/, the page itself at /. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "/desk/",
  // Packages of this repository are read from their sources.
  resolve: { conditions: [...defaultClientConditions, "@exchange-graph/source"] },
  oxc: { jsx: { runtime: "automatic", importSource: "react" } },
  build: {
    outDir: fileURLToPath(new URL("dist", import.meta.url)),
    emptyOutDir: true,
    target: "es2022",
    // The page's content security policy allows no `data:` addresses.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // Some dependencies mark their modules as made for a browser, which is where they go.
      onwarn: (warning, warn) => (warning.code === "MODULE_LEVEL_DIRECTIVE" ? undefined : warn(warning)),
    },
  },
});
