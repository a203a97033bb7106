import type { FastifyPluginAsync } from "fastify";
import { builtPage } from "./builtPage.js";

/** The page may load from and call this server only; scripts and styles have to be files. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
];

/** Files of the page that have fixed addresses: a service worker controls the pages below its own path. */
const FILES = {
  "/sw.js": "text/javascript; charset=utf-8",
  "/desk/manifest.webmanifest": "application/manifest+json; charset=utf-8",
  "/desk/icon.svg": "image/svg+xml",
};

/** `/`: the desk, built into `folder`. */
export const desk = (folder: string): FastifyPluginAsync =>
  builtPage({ name: "the desk", folder, path: "/", assetsPath: "/desk/assets/", policy: POLICY, files: FILES });
