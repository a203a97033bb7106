import type { Clock } from "../../clock.js";
import { serverTime } from "../../contract/market.js";
import { type Handler, open } from "./handler.js";

/** What holds for the market as a whole. */
export const marketHandlers = (clock: Clock): readonly Handler[] => [
  open(serverTime, () => ({ serverTime: String(clock.now()) })),
];
