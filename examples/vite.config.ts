import { fileURLToPath } from "node:url";
import { defineConfig, loadEnv } from "vite";

const { GATEWAY_URL = "http://127.0.0.1:4000" } = loadEnv("development", process.cwd(), "GATEWAY_");

/** Serves the examples, and forwards their requests and sockets for `/graphql` to the gateway. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  cacheDir: fileURLToPath(new URL("../build/examples", import.meta.url)),
  optimizeDeps: { entries: ["*.html"] },
  server: { proxy: { "/graphql": { target: GATEWAY_URL, ws: true } } },
});
