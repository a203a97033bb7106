import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** Builds the GraphiQL page: all its dependencies become files beside it, named by a hash of their content. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "/graphiql/",
  worker: { format: "es" },
  build: {
    outDir: fileURLToPath(new URL("dist", import.meta.url)),
    emptyOutDir: true,
    // Inlined assets would be `data:` URLs, which the page's content security policy allows for few kinds.
    assetsInlineLimit: 0,
    // The editor is one large chunk; it is loaded once, from the same server.
    chunkSizeWarningLimit: 8_000,
    rolldownOptions: {
      // Some dependencies mark their modules as made for browsers, which is correct here.
      onwarn: (warning, warn) => (warning.code === "MODULE_LEVEL_DIRECTIVE" ? undefined : warn(warning)),
    },
  },
});
