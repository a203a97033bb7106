import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** Serves the examples, and forwards their requests and sockets for `/graphql` to the gateway. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  cacheDir: fileURLToPath(new URL("../build/examples", import.meta.url)),
  optimizeDeps: { entries: ["*.html"] },
  server: { proxy: { "/graphql": { target: "http://127.0.0.1:4000", ws: true } } },
});
