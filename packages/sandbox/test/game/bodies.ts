import { plain } from "@exchange-graph/contract/decimal";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import { BROKER_UID } from "../../src/world/opening/initialAccounts.js";
import { type Draw, SPOT } from "./draw.js";

/** What a player sends to each endpoint that writes, by the endpoint's name: mostly what it takes. */

type Fields = Readonly<Record<string, unknown>>;
type Body = Fields | readonly Fields[];
const isList = (body: Body): body is readonly Fields[] => Array.isArray(body);
export type Make = (draw: Draw) => Body;

/** A product of a unified account and a symbol of it. */
function product(draw: Draw): { readonly category: ProductCategory; readonly symbol: string } {
  if (draw.random.oneIn(8)) return { category: "MARGIN", symbol: "ETHUSDT" };
  if (draw.random.oneIn(2)) return { category: "SPOT", symbol: draw.random.pick(SPOT) };
  const { category, symbol } = draw.contract();
  return { category, symbol };
}

/** Size and price of an order; a market buy of coins is sized in what it spends. */
function terms(draw: Draw, category: ProductCategory, symbol: string) {
  const { orderType, side } = draw;
  const spends = orderType === "market" && side === "buy" && (category === "SPOT" || category === "MARGIN");
  const size = spends ? draw.spending(symbol) : draw.quantity(category, symbol);
  return { orderType, side, size, price: orderType === "market" ? undefined : draw.price(category, symbol) };
}

const classicContract = (draw: Draw) => {
  const { category, symbol, marginCoin } = draw.contract();
  return { category, of: { productType: category, symbol, marginCoin } };
};

/** A position of the account, or a contract in which it may have none. */
const held = (draw: Draw) => draw.position() ?? { ...draw.contract(), side: draw.random.pick(["long", "short"] as const) };

const several = <T>(draw: Draw, make: () => T): readonly T[] => Array.from({ length: draw.random.between(1, 4) }, make);

const leverage = (draw: Draw) => String(draw.random.between(1, 160));
const holdMode = (draw: Draw) => draw.random.pick(["one_way_mode", "hedge_mode"] as const);

export const BODIES: Readonly<Record<string, Make>> = {
  placeOrder(draw) {
    const { category, symbol } = product(draw);
    const { size, ...rest } = terms(draw, category, symbol);
    return {
      ...{ category, symbol, ...rest, qty: size },
      ...{ timeInForce: draw.force, stpMode: draw.stpMode, clientOid: draw.clientOid },
      posSide: draw.random.pick(["long", "short", undefined] as const),
      reduceOnly: draw.maybe(5, () => "yes"),
      marginMode: draw.maybe(20, () => "isolated"),
      ...(draw.maybe(10, () => ({ stopLoss: draw.price(category, symbol), slTriggerBy: "mark" })) ?? {}),
    };
  },
  modifyOrder(draw) {
    const order = draw.order();
    const { category, symbol } = order ?? product(draw);
    const change = { qty: draw.quantity(category, symbol), price: draw.price(category, symbol) };
    const tpsl = { stopLoss: draw.maybe(8, () => draw.price(category, symbol)), takeProfit: draw.maybe(12, () => "0") };
    return { orderId: order?.orderId ?? "1", ...change, ...tpsl, autoCancel: draw.maybe(3, () => "yes") };
  },
  cancelOrder: (draw) => ({ orderId: draw.order()?.orderId ?? "1" }),

  classicPlaceSpotOrder(draw) {
    const symbol = draw.random.pick(SPOT);
    const price = () => draw.price("SPOT", symbol);
    const more = { force: draw.force, stpMode: draw.stpMode, clientOid: draw.clientOid };
    const plan = draw.maybe(8, () => ({ tpslType: "tpsl", triggerPrice: price() }));
    return { symbol, ...terms(draw, "SPOT", symbol), ...more, ...plan, presetStopLossPrice: draw.maybe(10, price) };
  },
  classicCancelSpotOrder(draw) {
    const plan = draw.maybe(4, () => draw.plan());
    if (plan !== undefined) return { symbol: plan.symbol, orderId: plan.planId, tpslType: "tpsl" };
    const order = draw.order("SPOT");
    return { symbol: order?.symbol ?? "BTCUSDT", orderId: order?.orderId ?? "1" };
  },
  classicReplaceSpotOrder(draw) {
    const { symbol, orderId } = draw.order("SPOT") ?? { symbol: "BTCUSDT", orderId: "1" };
    return { symbol, orderId, price: draw.price("SPOT", symbol), size: draw.quantity("SPOT", symbol) };
  },

  classicPlaceFuturesOrder(draw) {
    const { category, of } = classicContract(draw);
    const marginMode = draw.random.oneIn(10) ? "isolated" : "crossed";
    const more = { force: draw.force, stpMode: draw.stpMode, clientOid: draw.clientOid, marginMode };
    // Needed in hedge mode, refused in one-way mode.
    const tradeSide = draw.random.oneIn(2) ? draw.random.pick(["open", "close"] as const) : undefined;
    return { ...of, ...terms(draw, category, of.symbol), ...more, tradeSide, reduceOnly: draw.maybe(5, () => "yes") };
  },
  classicModifyFuturesOrder(draw) {
    const order = draw.order("USDT-FUTURES", "COIN-FUTURES", "USDC-FUTURES");
    const { category, symbol } = order ?? draw.contract();
    const change = { newSize: draw.quantity(category, symbol), newPrice: draw.price(category, symbol) };
    const newClientOid = `changed-${draw.random.next()}`;
    return { productType: category, symbol, orderId: order?.orderId ?? "1", newClientOid, ...change };
  },
  classicCancelFuturesOrder(draw) {
    const order = draw.order("USDT-FUTURES", "COIN-FUTURES", "USDC-FUTURES");
    const { category, symbol } = order ?? draw.contract();
    return { productType: category, symbol, orderId: order?.orderId ?? "1" };
  },

  placeStrategyOrder(draw) {
    const { category, symbol, side } = held(draw);
    const isPart = draw.random.oneIn(2);
    const tpsl = { [draw.random.pick(["takeProfit", "stopLoss"] as const)]: draw.price(category, symbol) };
    const part = isPart ? { tpslMode: "partial", qty: draw.quantity(category, symbol) } : {};
    return { category, symbol, posSide: side, ...tpsl, ...part };
  },
  modifyStrategyOrder(draw) {
    const plan = draw.plan();
    const { category, symbol } = plan ?? product(draw);
    const exit = { [draw.random.pick(["takeProfit", "stopLoss"] as const)]: draw.price(category, symbol) };
    return {
      orderId: plan?.planId ?? "1",
      qty: draw.quantity(category, symbol),
      triggerPrice: draw.price(category, symbol),
      ...exit,
    };
  },
  classicPlacePlanOrder(draw) {
    const { category, of } = classicContract(draw);
    const isTrailing = draw.random.oneIn(3);
    return {
      ...of,
      planType: isTrailing ? "track_plan" : "normal_plan",
      marginMode: draw.random.oneIn(8) ? "isolated" : "crossed",
      size: draw.quantity(category, of.symbol),
      side: draw.side,
      // Needed in hedge mode, refused in one-way mode.
      tradeSide: draw.random.oneIn(2) ? draw.random.pick(["open", "close"] as const) : undefined,
      orderType: "market",
      callbackRatio: isTrailing ? "1" : undefined,
      triggerPrice: draw.price(category, of.symbol),
      triggerType: draw.random.pick(["fill_price", "mark_price"] as const),
      clientOid: draw.clientOid,
    };
  },
  classicModifyPlanOrder(draw) {
    const plan = draw.plan();
    const { category, symbol } = plan ?? draw.contract();
    return { productType: category, orderId: plan?.planId ?? "1", newTriggerPrice: draw.price(category, symbol) };
  },
  classicModifyTpslOrder(draw) {
    const plan = draw.plan();
    const { category, symbol } = plan ?? draw.contract();
    const { marginCoin } = draw.contract();
    return {
      productType: category,
      symbol,
      marginCoin,
      orderId: plan?.planId ?? "1",
      triggerPrice: draw.price(category, symbol),
      size: draw.quantity(category, symbol),
    };
  },

  // Orders of one category, some of which are refused.
  placeOrderBatch(draw) {
    const { category, symbol } = product(draw);
    return several(draw, () => {
      const { size, ...rest } = terms(draw, category, symbol);
      const more = { timeInForce: draw.force, stpMode: draw.stpMode, clientOid: draw.clientOid };
      return { category, symbol, ...rest, qty: size, ...more, posSide: draw.random.pick(["long", "short", undefined] as const) };
    });
  },
  cancelOrderBatch: (draw) =>
    several(draw, () => {
      const { category, symbol, orderId } = draw.order() ?? { ...product(draw), orderId: "1" };
      return { category, symbol, orderId };
    }),
  classicPlaceSpotOrderBatch: (draw) => ({
    batchMode: "multiple",
    orderList: several(draw, () => {
      const symbol = draw.random.pick(SPOT);
      const more = { force: draw.force, stpMode: draw.stpMode, clientOid: draw.clientOid };
      return { symbol, ...terms(draw, "SPOT", symbol), ...more };
    }),
  }),
  classicCancelSpotOrderBatch: (draw) => ({
    batchMode: "multiple",
    orderList: several(draw, () => {
      const { symbol, orderId } = draw.order("SPOT") ?? { symbol: "BTCUSDT", orderId: "1" };
      return { symbol, orderId };
    }),
  }),
  classicPlaceFuturesOrderBatch(draw) {
    const { category, of } = classicContract(draw);
    const orderList = several(draw, () => ({
      ...terms(draw, category, of.symbol),
      ...{ force: draw.force, stpMode: draw.stpMode, clientOid: draw.clientOid },
      tradeSide: draw.random.pick(["open", "close", undefined] as const),
    }));
    return { ...of, marginMode: draw.random.oneIn(10) ? "isolated" : "crossed", orderList };
  },
  classicCancelFuturesOrderBatch(draw) {
    const { category, of } = classicContract(draw);
    const orderIdList = several(draw, () => ({ orderId: draw.order(category)?.orderId ?? "1" }));
    return { productType: category, symbol: of.symbol, orderIdList };
  },

  countdownCancelAll: (draw) => ({ countdown: String(draw.random.pick([0, 5, 30, 60])) }),
  cancelSymbolOrders(draw) {
    const { category, symbol } = draw.order() ?? product(draw);
    return { category, symbol };
  },
  classicCancelSpotSymbolOrders: (draw) => ({ symbol: draw.order("SPOT")?.symbol ?? "BTCUSDT" }),
  classicCancelAllFuturesOrders(draw) {
    const { category, of } = classicContract(draw);
    return { productType: category, symbol: of.symbol };
  },
  closePositions(draw) {
    const { category, symbol, side } = held(draw);
    return { category, symbol, posSide: draw.maybe(2, () => side) };
  },
  classicClosePositions(draw) {
    const { category, symbol, side } = held(draw);
    return { productType: category, symbol, holdSide: draw.maybe(2, () => side) };
  },

  cancelStrategyOrder: (draw) => ({ orderId: draw.plan()?.planId ?? "1" }),
  placeTpslOrder(draw) {
    const { category, symbol, marginCoin, side } = held(draw);
    const planType = draw.random.pick(["profit_plan", "loss_plan", "moving_plan", "pos_profit", "pos_loss"] as const);
    const isWhole = planType.startsWith("pos_");
    return {
      ...{ productType: category, symbol, marginCoin, planType },
      holdSide: draw.random.oneIn(2) ? side : side === "long" ? "buy" : "sell",
      triggerPrice: draw.price(category, symbol),
      triggerType: draw.random.pick(["fill_price", "mark_price"] as const),
      size: isWhole ? undefined : draw.quantity(category, symbol),
      rangeRate: planType === "moving_plan" ? "0.1" : undefined,
    };
  },
  classicCancelPlanOrders(draw) {
    const plan = draw.plan();
    const named = plan === undefined || draw.random.oneIn(4) ? {} : { orderIdList: [{ orderId: plan.planId }] };
    return { productType: plan?.category ?? "USDT-FUTURES", symbol: plan?.symbol, planType: "profit_loss", ...named };
  },

  setLeverage(draw) {
    if (draw.random.oneIn(4)) return { category: "MARGIN", coin: draw.coin, leverage: String(draw.random.between(1, 12)) };
    const { category, symbol } = draw.contract();
    const posSide = draw.maybe(4, () => draw.random.pick(["long", "short"] as const));
    return { category, symbol, leverage: leverage(draw), posSide };
  },
  setHoldMode: (draw) => ({ holdMode: holdMode(draw) }),
  classicSetLeverage: (draw) => ({ ...classicContract(draw).of, leverage: leverage(draw) }),
  classicSetMarginMode(draw) {
    return { ...classicContract(draw).of, marginMode: draw.random.pick(["crossed", "isolated"] as const) };
  },
  classicSetHoldMode: (draw) => ({ productType: draw.contract().category, posMode: holdMode(draw) }),
  classicSetMargin(draw) {
    const { category, symbol, marginCoin, side } = held(draw);
    return { productType: category, symbol, marginCoin, holdSide: side, amount: String(draw.random.between(-200, 200)) };
  },

  savingsRedeem(draw) {
    const holding = draw.random.pick(draw.exchange.services.savings.holdings.of(draw.uid));
    if (holding === undefined) return { productId: "9001", periodType: "flexible", amount: "1" };
    const { product, orderId, amount } = holding;
    return { productId: product.productId, periodType: product.periodType, orderId, amount: draw.partOf(plain(amount)) };
  },
  convertTrade: (draw) => draw.quote(),

  modifySubAccountEmail(draw) {
    return { subUid: subUid(draw), subaccountEmail: `desk${draw.random.between(1, 99)}@example.com` };
  },
  subAccountWithdrawal(draw) {
    const isInternal = draw.random.oneIn(2);
    return {
      subUid: subUid(draw),
      coin: draw.random.pick(["BTC", "ETH", "USDT", "USDC"] as const),
      dest: isInternal ? "internal_transfer" : "on_chain",
      address: isInternal ? draw.random.pick([BROKER_UID, subUid(draw), "1"]) : "bc1q-somewhere",
      amount: draw.random.pick(["0.001", "0.01", "5", "40", "100000"] as const),
      clientOid: draw.clientOid,
    };
  },

  upgradeAccount: (draw) => ({ subUid: draw.maybe(2, () => draw.random.pick(["8800112301", "8800112302", "1"] as const)) }),
  switchAccount: () => ({}),
};

const subUid = ({ random, exchange }: Draw): string =>
  random.pick(exchange.services.broker.subAccounts.of(BROKER_UID))?.uid ?? "1";

/** Values that no parameter takes, or hardly any. */
const ABUSE = ["", "-1", "0", "1e3", "none", "0.0000000000001", "99999999999999999999", "x".repeat(80)] as const;

/** The body with one value missing or replaced by nonsense; of a list, that of one of its elements. */
export function spoiled(draw: Draw, body: Body): Body {
  return isList(body) ? body.map((one, at) => (at === 0 ? spoiledFields(draw, one) : one)) : spoiledFields(draw, body);
}

function spoiledFields({ random }: Draw, body: Fields): Fields {
  const name = random.pick(Object.keys(body));
  if (name === undefined) return { nonsense: "1" };
  const { [name]: _, ...rest } = body;
  return random.oneIn(3) ? rest : { ...rest, [name]: random.pick(ABUSE) };
}
