import type { FuturesCategory } from "@exchange-graph/contract/vocabulary";
import { Remembered } from "../moments.js";
import type { State } from "../state.js";
import { type ClassicMargin, classicMargin } from "./classic.js";
import { type UnifiedMargin, unifiedMargin } from "./unified.js";

/** An account's margin at current prices, for readers. */

const unified = new Remembered<UnifiedMargin>();
const classic = new Remembered<ClassicMargin>();

export const presentUnifiedMargin = (state: State, uid: string): UnifiedMargin =>
  unified.at(state.moments.of(uid), "all", () => unifiedMargin(state, uid));

export const presentClassicMargin = (state: State, uid: string, category: FuturesCategory, coin: string): ClassicMargin =>
  classic.at(state.moments.of(uid), `${category}/${coin}`, () => classicMargin(state, uid, category, coin));
