import { endpoints } from "@exchange-graph/contract";
import type { ManualClock } from "@exchange-graph/contract/clock";
import { exact } from "@exchange-graph/contract/decimal";
import type { Endpoint } from "@exchange-graph/contract/endpoint";
import { Refused } from "../../src/refused.js";
import type { SandboxExchange } from "../../src/sandboxExchange.js";
import { isUnified } from "../../src/world/funds/wallets.js";
import { BROKER_UID, CLASSIC_UID, MAIN_UID } from "../../src/world/opening/initialAccounts.js";
import { randomOf } from "../../src/world/random.js";
import { BODIES, spoiled } from "./bodies.js";
import { Caller } from "./clientPrincipal.js";
import { Draw } from "./draw.js";

/** A user with an API key. */
export const PLAYERS = [MAIN_UID, CLASSIC_UID, BROKER_UID] as const;

/** How many times as often as the others an endpoint is called. */
const WEIGHTS: Readonly<Record<string, number>> = {
  placeOrder: 24,
  modifyOrder: 4,
  cancelOrder: 7,
  classicPlaceSpotOrder: 14,
  classicCancelSpotOrder: 4,
  classicReplaceSpotOrder: 3,
  classicPlaceFuturesOrder: 18,
  classicModifyFuturesOrder: 3,
  classicCancelFuturesOrder: 5,
  placeTpslOrder: 2,
  placeStrategyOrder: 2,
};
/** Called once in so many times. Changing the API version ends a game that is played on the other. */
const RARE: ReadonlyMap<string, number> = new Map([
  ["upgradeAccount", 30],
  ["switchAccount", 25],
  // They end what the others build up.
  ["countdownCancelAll", 6],
  ["cancelSymbolOrders", 6],
  ["classicCancelSpotSymbolOrders", 6],
  ["classicCancelAllFuturesOrders", 6],
  ["closePositions", 6],
  ["classicClosePositions", 6],
]);

export const WRITES = endpoints.filter(({ method }) => method === "POST");
const weighted = (served: Endpoint["serves"]): readonly Endpoint[] =>
  WRITES.filter(({ serves }) => serves === "BOTH" || serves === served).flatMap((endpoint) =>
    Array.from({ length: WEIGHTS[endpoint.name] ?? 1 }, () => endpoint),
  );
const UNIFIED = weighted("UNIFIED");
const CLASSIC = weighted("CLASSIC");

/** Random calls, valid and not, of every endpoint that writes, on an exchange whose clock moves between them. */
export class Player {
  readonly #random;
  readonly #caller: Caller;
  readonly refusals = new Map<string, number>();
  /** The calls of each endpoint that were answered with success. */
  readonly done = new Map<string, number>();

  constructor(
    readonly exchange: SandboxExchange,
    readonly clock: ManualClock,
    seed: string,
    /** Into how many parts the clock's steps are cut; must make no difference. */
    readonly cuts: number,
  ) {
    this.#random = randomOf(seed);
    this.#caller = new Caller(exchange, clock);
  }

  /** `around` is called before and after each call. */
  play(calls: number, around: (uid: string) => () => void = () => () => undefined): void {
    for (let call = 0; call < calls; call++) {
      this.#pass(this.#random.oneIn(1_000) ? 1_200_000 : this.#random.between(0, 100) * 4);
      const uid = this.#random.pick(PLAYERS);
      const after = around(uid);
      if (this.#random.oneIn(40)) this.#transfer(uid);
      else if (this.#random.oneIn(60)) this.#overChains(uid);
      else this.#act(uid);
      after();
    }
  }

  #pass(ms: number): void {
    for (let cut = 0; cut < this.cuts; cut++) {
      this.clock.advance(ms / this.cuts);
      this.exchange.world.advance();
    }
  }

  #act(uid: string): void {
    const endpoint = this.#endpoint(uid);
    const make = BODIES[endpoint.name];
    if (make === undefined) throw new Error(`there is no player of ${endpoint.name}`);
    const draw = new Draw(this.#random, this.exchange, this.#caller, uid);
    const body = make(draw);
    const { code } = this.#caller.post(endpoint, uid, this.#random.oneIn(8) ? spoiled(draw, body) : body);
    if (code === "00000") this.#count(this.done, endpoint.name);
    else this.#count(this.refusals, code);
  }

  /** Mostly one that the account is served by. */
  #endpoint(uid: string): Endpoint {
    const own = isUnified(this.exchange.world.state.accounts.of(uid)) ? UNIFIED : CLASSIC;
    const endpoint = this.#random.pick(this.#random.oneIn(50) ? WRITES : own);
    if (endpoint === undefined) throw new Error("there is nothing to call");
    return this.#random.oneIn(RARE.get(endpoint.name) ?? 1) ? endpoint : this.#endpoint(uid);
  }

  /** Transfers have no endpoint in the contract. */
  #transfer(uid: string): void {
    const kinds = ["spot", "funding", "unified", "usdt-futures", "coin-futures", "usdc-futures", "crossed-margin"] as const;
    const [from, to] = [this.#random.pick(kinds), this.#random.pick(kinds)];
    const coin = this.#random.pick(["USDT", "BTC", "USDC", "ETH"] as const);
    const amount = exact(String(this.#random.between(1, 900)));
    this.#attempt(() => this.exchange.world.transfers.transfer({ uid, kind: from }, { uid, kind: to }, coin, amount));
  }

  /** A deposit, or a withdrawal to a chain or to another player. */
  #overChains(uid: string): void {
    const { wallets } = this.exchange.services;
    const coin = this.#random.pick(["USDT", "BTC", "USDC", "ETH"] as const);
    const amount = exact(String(this.#random.between(2, 60)));
    if (this.#random.oneIn(2)) {
      this.#attempt(() => wallets.deposit(uid, coin, amount));
      return;
    }
    const isInternal = this.#random.oneIn(2);
    const dest = isInternal ? "internal_transfer" : "on_chain";
    const address = isInternal ? this.#random.pick(PLAYERS) : "somewhere";
    this.#attempt(() => wallets.withdraw({ uid, coin, dest, address, amount }));
  }

  #attempt(act: () => unknown): void {
    try {
      act();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#count(this.refusals, error.refusal.code);
    }
  }

  #count(counts: Map<string, number>, name: string): void {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
}
