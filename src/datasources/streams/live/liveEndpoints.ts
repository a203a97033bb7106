import { classicSpotAssets, type SpotBalance, type UnifiedAssets, unifiedAssets } from "@exchange-graph/contract/asset";
import { isZero } from "@exchange-graph/contract/decimal";
import type { Endpoint } from "@exchange-graph/contract/endpoint";
import {
  classicFuturesFillHistory,
  classicFuturesFills,
  classicSpotFills,
  type Fill,
  fills,
} from "@exchange-graph/contract/fill";
import { type FuturesAccount, futuresAccounts } from "@exchange-graph/contract/futuresAccount";
import { inCapitals, isNamed } from "@exchange-graph/contract/letterCase";
import { classicFuturesOpenOrders, classicSpotOpenOrders, openOrders } from "@exchange-graph/contract/orderReads";
import type { Page } from "@exchange-graph/contract/page";
import type { ParameterSet, Values } from "@exchange-graph/contract/parameter";
import type { PlanOrder } from "@exchange-graph/contract/plan";
import { classicOpenPlanOrders, openPlanOrders } from "@exchange-graph/contract/planReads";
import { classicPositions, type Position, positions } from "@exchange-graph/contract/position";
import { TIMESTAMP_WINDOW_MS } from "@exchange-graph/contract/signing";
import { PRODUCT_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import type { Call } from "../../reads/index.js";
import { strategyTypeOf } from "../channels/plans.js";
import type { CompleteFills } from "../state/fillLedger.js";
import type { LiveKind, LiveKinds } from "../state/kinds.js";

/** Figures of an account at current prices; undefined if not proven. */
export interface LiveFigures {
  readonly provenPositions: readonly Position[];
  positions(category: string): readonly Position[] | undefined;
  readonly unified: UnifiedAssets | undefined;
  wallets(category: string): readonly FuturesAccount[] | undefined;
}

/** The proven state of an account, and its figures. */
export interface ProvenAccount {
  /** A kind of state, if it, or this part of it, is proven. */
  readonly kinds: { readonly [K in LiveKind]: (part?: string) => LiveKinds[K] | undefined };
  readonly figures: () => LiveFigures | undefined;
  /** Whether the streams are open that report the changes which the channels of these kinds do not push. */
  readonly isWitnessed: () => boolean;
  /** The exchange's time as estimated, Unix ms. */
  readonly now: () => number;
}

/** An endpoint whose answer can be derived from an account's state. */
export interface LiveEndpoint {
  readonly name: string;
  readonly kind: LiveKind;
  readonly isPriced: boolean;
  /** The part of the state that the answer shows; undefined if it may be all of it. */
  partOf<P extends ParameterSet, D>(call: Call<P, D>): string | undefined;
  answer<P extends ParameterSet, D>(call: Call<P, D>, records: ProvenAccount): unknown;
}

/** Narrows a call to the endpoint with its name. */
export const isOf = <P extends ParameterSet, D>(
  call: { readonly endpoint: Pick<Endpoint, "name"> },
  endpoint: Endpoint<P, D>,
): call is Call<P, D> => call.endpoint.name === endpoint.name;

/** Connects an endpoint's types with those of the state. `answer` returns undefined if the answer cannot be derived. */
function liveEndpoint<P extends ParameterSet, D, K extends LiveKind>(
  endpoint: Endpoint<P, D>,
  kind: K,
  answer: (records: LiveKinds[K], values: Values<P>, all: ProvenAccount) => D | undefined,
  { isPriced = false, part }: { readonly isPriced?: boolean; readonly part?: (values: Values<P>) => string | undefined } = {},
): LiveEndpoint {
  return {
    name: endpoint.name,
    kind,
    isPriced,
    partOf: (call) => (isOf(call, endpoint) ? part?.(call.values) : undefined),
    answer(call, records) {
      if (!isOf(call, endpoint)) return undefined;
      const value = records.kinds[kind](part?.(call.values));
      return value === undefined ? undefined : answer(value, call.values, records);
    },
  };
}

/** Common fields of orders and trigger orders in lists. */
interface Listed {
  readonly orderId: string;
  readonly symbol: string;
  readonly createdTime: number | null;
}

interface ListValues {
  readonly symbol?: string | undefined;
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
  readonly limit?: number | undefined;
}

/** The exchange's default page size. */
const DEFAULT_LIMIT = 100;
/** An account with more open orders may have some that were not read. */
const MAX_OPEN = 1_900;

/** Newest first, like the lists: by time, and within the same time by the exchange's ascending identifiers. */
const newestFirst = (one: Listed, other: Listed): number =>
  (other.createdTime ?? 0) - (one.createdTime ?? 0) ||
  other.orderId.length - one.orderId.length ||
  (other.orderId > one.orderId ? 1 : -1);

/** The first page; undefined if it is not also the last one. */
function pageOf<R extends Listed>(
  records: readonly R[],
  { symbol, startTime = 0, endTime = Number.POSITIVE_INFINITY, limit = DEFAULT_LIMIT }: ListValues,
  isMeant: (row: R) => boolean,
): Page<R> | undefined {
  if (records.length > MAX_OPEN) return undefined;
  const isWithin = ({ createdTime }: R) => createdTime !== null && createdTime >= startTime && createdTime <= endTime;
  const rows = records.filter((row) => isMeant(row) && isNamed(row.symbol, symbol) && isWithin(row));
  return rows.length > limit ? undefined : { list: rows.sort(newestFirst), cursor: null };
}

/** Parameters of a page of executions. */
interface FillValues extends ListValues {
  readonly orderId?: string | undefined;
}

/**
 * A page of executions, after the one with the identifier `below`. Undefined unless the page is within the complete period: it is
 * full, or its range is known completely. Without `startTime` the list reaches further back than the known period.
 */
function fillsIn(
  { list, since }: CompleteFills,
  categories: readonly string[],
  { symbol, orderId, startTime, endTime = Number.POSITIVE_INFINITY, limit = DEFAULT_LIMIT }: FillValues,
  below: string | undefined,
  now: number,
): Page<Fill> | undefined {
  // The exchange may date a new execution later than the gateway's estimate of its time, by at most the tolerance for signatures.
  const until = endTime < now ? endTime : endTime + TIMESTAMP_WINDOW_MS;
  const records = Math.max(...categories.map((category) => since.get(category) ?? Number.POSITIVE_INFINITY));
  const isWithin = ({ createdTime }: Fill) =>
    createdTime !== null && createdTime >= Math.max(records, startTime ?? records) && createdTime <= until;
  const isMeant = (fill: Fill) => categories.includes(fill.category) && (orderId ?? fill.orderId) === fill.orderId;
  const rows = list.filter((fill) => isMeant(fill) && isNamed(fill.symbol, symbol) && isWithin(fill));
  const first = below === undefined ? 0 : rows.findIndex(({ execId }) => execId === below) + 1;
  if (below !== undefined && first === 0) return undefined;
  const page = rows.slice(first, first + limit);
  if (page.length < limit && (startTime === undefined || startTime < records)) return undefined;
  return { list: page, cursor: page.at(-1)?.execId ?? null };
}

/** Only lists without an identifier are answered: a single order is looked up at the exchange, whether it is open or not. */
const isList = (values: { readonly orderId?: string | undefined; readonly clientOid?: string | undefined }): boolean =>
  values.orderId === undefined && values.clientOid === undefined;

/** v2's kinds of trigger orders, by the parameter of their list. */
const inClassicList = (kind: "normal_plan" | "track_plan" | "profit_loss", { planType }: PlanOrder): boolean =>
  kind === "profit_loss" ? planType !== "normal_plan" && planType !== "track_plan" : planType === kind;

/** The current positions of a category. An empty list needs no prices. */
function positionsIn(records: readonly Position[], category: string, figures: () => LiveFigures | undefined) {
  if (!records.some((position) => position.category === category)) return { list: [], cursor: null };
  const list = figures()?.positions(category);
  return list && { list, cursor: null };
}

const isHeld = ({ available, frozen, locked }: SpotBalance): boolean =>
  [available, frozen, locked].some((amount) => amount !== null && !isZero(amount));

const ENDPOINTS: readonly LiveEndpoint[] = [
  liveEndpoint(openOrders, "orders", (records, { category, cursor, ...values }) =>
    cursor === undefined ? pageOf(records, values, (order) => category === undefined || order.category === category) : undefined,
  ),
  liveEndpoint(
    classicSpotOpenOrders,
    "orders",
    (records, { idLessThan, tpslType = "normal", ...values }) => {
      const waits = tpslType === "tpsl";
      if (idLessThan !== undefined || !isList(values)) return undefined;
      return pageOf(records, values, (order) => order.category === "SPOT" && (order.tpslType === "tpsl") === waits);
    },
    { part: ({ tpslType }) => (tpslType === "tpsl" ? "SPOT tpsl" : "SPOT") },
  ),
  liveEndpoint(
    classicFuturesOpenOrders,
    "orders",
    (records, { idLessThan, productType, status, ...values }) =>
      idLessThan === undefined && status === undefined && isList(values)
        ? pageOf(records, values, (order) => order.category === inCapitals(productType))
        : undefined,
    { part: ({ productType }) => inCapitals(productType) },
  ),
  liveEndpoint(
    fills,
    "fills",
    (records, { category, cursor, ...values }, { now }) =>
      fillsIn(records, category === undefined ? PRODUCT_CATEGORIES : [category], values, cursor, now()),
    { part: ({ category }) => category },
  ),
  liveEndpoint(
    classicSpotFills,
    "fills",
    (records, { idLessThan, ...values }, { now }) => fillsIn(records, ["SPOT"], values, idLessThan, now()),
    { part: () => "SPOT" },
  ),
  ...[classicFuturesFills, classicFuturesFillHistory].map((endpoint) =>
    liveEndpoint(
      endpoint,
      "fills",
      (records, { idLessThan, productType, ...values }, { now }) =>
        fillsIn(records, [inCapitals(productType)], values, idLessThan, now()),
      { part: ({ productType }) => inCapitals(productType) },
    ),
  ),
  liveEndpoint(
    openPlanOrders,
    "planOrders",
    (records, { category, type = "tpsl" }) => {
      const list = records.filter((plan) => plan.category === category && strategyTypeOf(plan) === type);
      return { list: list.sort(newestFirst), cursor: null };
    },
    { part: ({ category, type = "tpsl" }) => `${category} ${type}` },
  ),
  liveEndpoint(
    classicOpenPlanOrders,
    "planOrders",
    (records, { idLessThan, productType, planType, ...values }) =>
      idLessThan === undefined && isList(values)
        ? pageOf(records, values, (plan) => plan.category === inCapitals(productType) && inClassicList(planType, plan))
        : undefined,
    { part: ({ productType, planType }) => `${inCapitals(productType)} ${planType}` },
  ),
  liveEndpoint(
    positions,
    "positions",
    (records, { category, symbol, posSide }, { figures }) =>
      symbol === undefined && posSide === undefined ? positionsIn(records, category, figures) : undefined,
    { isPriced: true, part: ({ category }) => category },
  ),
  liveEndpoint(
    classicPositions,
    "positions",
    (records, { productType, marginCoin }, { figures }) =>
      marginCoin === undefined ? positionsIn(records, inCapitals(productType), figures) : undefined,
    { isPriced: true, part: ({ productType }) => inCapitals(productType) },
  ),
  liveEndpoint(unifiedAssets, "accountUpdates", (_known, _values, { figures }) => figures()?.unified, { isPriced: true }),
  liveEndpoint(
    futuresAccounts,
    "accountUpdates",
    (_known, { productType }, { figures }) => figures()?.wallets(inCapitals(productType)),
    { isPriced: true, part: ({ productType }) => inCapitals(productType) },
  ),
  // Funds reserved by orders are not pushed: without the stream of orders they are not known.
  liveEndpoint(
    classicSpotAssets,
    "accountUpdates",
    ({ spot }, { coin, assetType }, { isWitnessed }) =>
      coin === undefined && assetType !== "all" && isWitnessed() ? spot.filter(isHeld) : undefined,
    { part: () => "SPOT" },
  ),
];

export const liveEndpoints: ReadonlyMap<string, LiveEndpoint> = new Map(ENDPOINTS.map((one) => [one.name, one]));

/** The kinds of state from which these endpoints are answered. */
export const kindsShowing = (endpoints: readonly string[]): ReadonlySet<LiveKind> =>
  new Set(endpoints.flatMap((name) => liveEndpoints.get(name)?.kind ?? []));
