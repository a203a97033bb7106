import { exact, plain } from "@exchange-graph/contract/decimal";
import { CLASSIC_UID, MAIN_UID } from "@exchange-graph/sandbox/world/opening/accounts";
import type { Fill, Order } from "@exchange-graph/sandbox/world/orders/order";
import { type Random, randomOf } from "@exchange-graph/sandbox/world/random";
import { afterEach, expect, it } from "vitest";
import { type LiveGateway, liveGateway } from "../../support/gateway/liveGateway.js";

/**
 * Orders and executions from the exchange's private sockets to graphql-ws subscribers, while the sockets break. Events
 * that were not pushed are read over REST, and every subscriber receives the final state of every order.
 */

/** Number of changes; `ORDER_CHANGES` overrides it. */
const CHANGES = Number.parseInt(process.env.ORDER_CHANGES ?? "250", 10);
const BTC = { category: "USDT-FUTURES", symbol: "BTCUSDT" } as const;

let gateway: LiveGateway | undefined;
afterEach(() => gateway?.close());

/** Places and cancels orders directly at the exchange, and records the resulting orders and fills. */
class Trader {
  readonly orders = new Map<string, Order>();
  readonly fills: Fill[] = [];
  changes = 0;

  constructor(
    private readonly world: LiveGateway["sandbox"]["world"],
    private readonly uid: string,
    private readonly random: Random,
  ) {
    world.state.events.on((event) => {
      if (event.kind === "order" && event.order.uid === uid) {
        this.orders.set(event.order.orderId, event.order);
        this.changes++;
      } else if (event.kind === "fill" && event.fill.uid === uid) this.fills.push(event.fill);
    });
  }

  act(): void {
    const resting = [...this.orders.values()].filter(({ status }) => status === "new" || status === "partially_filled");
    const chosen = this.random.pick(resting);
    const act = this.random.between(1, 4);
    if (chosen !== undefined && (act === 1 || resting.length > 20)) this.world.orders.cancel(this.uid, BTC.category, chosen);
    // At the market, close to it so that it may be filled soon, or far away.
    else this.#place(this.random.pick(["buy", "sell"]), act === 2 ? undefined : act === 3 ? 3 : 500);
  }

  #place(side: "buy" | "sell", away: number | undefined): void {
    const { markets } = this.world.state;
    const { listing } = markets.of(BTC.category, BTC.symbol);
    const distance = (away ?? 0) * (side === "buy" ? -1 : 1);
    this.world.orders.place({
      uid: this.uid,
      ...BTC,
      side,
      orderType: away === undefined ? "market" : "limit",
      ...(away === undefined ? {} : { price: listing.grid.price(listing.steps(markets.tick) + distance) }),
      quantity: exact("0.01"),
      ...(this.uid === CLASSIC_UID ? { marginCoin: "USDT", marginMode: "crossed" as const } : {}),
    });
  }
}

it.each([
  ["a unified account", "main", MAIN_UID, "/v3/ws/private"],
  ["a Classic account", "classic", CLASSIC_UID, "/v2/ws/private"],
])(
  `%s, ${CHANGES} order changes with the private socket cut at random: each listener ends with the ledger's truth`,
  { timeout: 600_000 },
  async (_, name, uid, path) => {
    const world = await liveGateway();
    gateway = world;
    const { sandbox, ends } = world;
    const random = randomOf(`orders of ${name}`);
    const trader = new Trader(sandbox.world, uid, random);
    const ORDERS = `subscription { orders(account: "${name}") { orders { orderId status cumExecQty } } }`;
    const OTHERS = `subscription { orders(account: "${name}", pace: { mode: ALL }) { orders { orderId status cumExecQty symbol } } }`;
    const listeners = [ORDERS, ORDERS, ORDERS, OTHERS].map((query) => world.subscribe(world.client(), query));
    const executions = world.subscribe(world.client(), `subscription { fills(account: "${name}") { fills { execId } } }`);
    const areLive = () => world.streams.gauges().topics.every(({ isLive }) => isLive);
    await world.until(() => listeners.every(({ events }) => events.length > 0) && areLive());

    let cuts = 0;
    while (trader.changes < CHANGES) {
      trader.act();
      if (random.between(1, 12) === 1) cuts += sandbox.sockets.drop(path);
      await world.pass(random.between(1, 4) * 100, 100);
      // Some connections last long enough for missed events to be read.
      if (random.between(1, 30) === 1) await world.until(areLive);
    }
    await world.until(areLive);
    await world.pass(2_000);

    expect(cuts).toBeGreaterThan(CHANGES / 50);
    expect(ends.length).toBeGreaterThanOrEqual(cuts);
    const truth = [...trader.orders.values()].map(({ orderId, status, filledQuantity }) => ({
      orderId,
      status: status.toUpperCase(),
      cumExecQty: plain(filledQuantity),
    }));
    expect(truth.filter(({ status }) => status === "FILLED").length).toBeGreaterThan(CHANGES / 20);
    for (const { events } of listeners) {
      const emitted = events.flatMap(({ data }) => data.orders.orders as readonly (typeof truth)[number][]);
      const last = new Map(emitted.map(({ orderId, status, cumExecQty }) => [orderId, { orderId, status, cumExecQty }]));
      expect(truth.map(({ orderId }) => last.get(orderId))).toEqual(truth);
    }
    const execIds = executions.events.flatMap(({ data }) => data.fills.fills as readonly { readonly execId: string }[]);
    expect(execIds.map(({ execId }) => execId).sort()).toEqual(trader.fills.map(({ execId }) => execId).sort());
    expect(sandbox.sockets.gauges.violations).toBe(0);
  },
);
