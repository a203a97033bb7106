import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** Builds the GraphiQL page: everything it needs becomes a file beside it, named by a hash of its content. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "/graphiql/",
  worker: { format: "es" },
  build: {
    outDir: fileURLToPath(new URL("dist", import.meta.url)),
    emptyOutDir: true,
    // Inlined assets would be `data:` addresses, which the page's content security policy allows for few kinds.
    assetsInlineLimit: 0,
    // The editor is one large piece by nature; it is loaded once, from the same machine.
    chunkSizeWarningLimit: 8_000,
    rolldownOptions: {
      // Some dependencies mark their modules as made for a browser, which is where they go.
      onwarn: (warning, warn) => (warning.code === "MODULE_LEVEL_DIRECTIVE" ? undefined : warn(warning)),
    },
  },
});
