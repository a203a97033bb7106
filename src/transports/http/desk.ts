import type { FastifyPluginAsync } from "fastify";
import { builtPage } from "./builtPage.js";

/** The page may load from and call this server only; scripts and styles have to be files. */
const POLICY = ["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'"];

/** `/`: the desk, built into `folder`. */
export const desk = (folder: string): FastifyPluginAsync =>
  builtPage({ name: "the desk", folder, path: "/", assetsPath: "/desk/assets/", policy: POLICY });
