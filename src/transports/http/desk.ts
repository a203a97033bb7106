import type { FastifyPluginAsync } from "fastify";
import { builtPage } from "./builtPage.js";

/** The page may load and call nothing but this server, and runs no script and no style that is not a file of its own. */
const POLICY = ["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'"];

/** `/`: the desk, as built into `folder`. */
export const desk = (folder: string): FastifyPluginAsync =>
  builtPage({ name: "the desk", folder, path: "/", assetsPath: "/desk/assets/", policy: POLICY });
