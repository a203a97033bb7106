import * as account from "./account.js";
import * as asset from "./asset.js";
import * as batches from "./batches.js";
import * as book from "./book.js";
import * as broker from "./broker.js";
import * as bulkWrites from "./bulkWrites.js";
import * as candle from "./candle.js";
import * as classicFuturesOrderWrites from "./classicFuturesOrderWrites.js";
import * as classicSpotOrderWrites from "./classicSpotOrderWrites.js";
import * as coin from "./coin.js";
import * as convert from "./convert.js";
import type { Endpoint } from "./endpoint.js";
import * as feeRate from "./feeRate.js";
import * as fill from "./fill.js";
import * as financialRecord from "./financialRecord.js";
import * as funding from "./funding.js";
import * as futuresAccount from "./futuresAccount.js";
import * as instrument from "./instrument.js";
import * as leverage from "./leverage.js";
import * as loan from "./loan.js";
import * as market from "./market.js";
import * as maximum from "./maximum.js";
import * as orderReads from "./orderReads.js";
import * as orderWrites from "./orderWrites.js";
import * as pair from "./pair.js";
import * as planReads from "./planReads.js";
import * as planWrites from "./planWrites.js";
import * as position from "./position.js";
import * as positionHistory from "./positionHistory.js";
import * as publicTrade from "./publicTrade.js";
import * as savings from "./savings.js";
import * as sharkfin from "./sharkfin.js";
import * as strategyWrites from "./strategyWrites.js";
import * as ticker from "./ticker.js";
import * as transfer from "./transfer.js";
import * as unifiedLoan from "./unifiedLoan.js";
import * as wallet from "./wallet.js";

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === "object" && value !== null && "path" in value && "method" in value && "parameters" in value;

/** Every known REST endpoint of the exchange, by area. */
export const endpoints: readonly Endpoint[] = [
  account,
  asset,
  batches,
  book,
  broker,
  bulkWrites,
  candle,
  classicFuturesOrderWrites,
  classicSpotOrderWrites,
  coin,
  convert,
  feeRate,
  fill,
  financialRecord,
  funding,
  futuresAccount,
  instrument,
  leverage,
  loan,
  market,
  maximum,
  orderReads,
  orderWrites,
  pair,
  planReads,
  planWrites,
  position,
  positionHistory,
  publicTrade,
  savings,
  sharkfin,
  strategyWrites,
  ticker,
  transfer,
  unifiedLoan,
  wallet,
].flatMap((area: object) => Object.values(area).filter(isEndpoint));

export const endpointNamed = (name: string): Endpoint | undefined => byName.get(name);
const byName: ReadonlyMap<string, Endpoint> = new Map(endpoints.map((one) => [one.name, one]));
