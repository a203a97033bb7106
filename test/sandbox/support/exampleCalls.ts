import type { Endpoint } from "../../../src/contract/endpoint.js";
import { endpoints } from "../../../src/contract/index.js";
import { queryString } from "../../../src/contract/signing.js";
import type { PromisedCredential } from "../../../src/sandbox/credentials.js";
import { credentialOf } from "./signedCall.js";

/** What a call needs that cannot be told from its parameters' rules. Read from the sandbox where it is an id. */
const CHOSEN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  candles: { interval: "1H" },
  classicSpotCandles: { granularity: "1h" },
  convertQuote: { fromCoin: "USDT", toCoin: "BTC", fromCoinSize: "100" },
  sharkFinOffers: { coin: "USDT" },
  brokerSubAccountFuturesAssets: { subUid: "8800200001" },
  subAccountSpotAssets: { subUid: "8800200001" },
  subAccountEmail: { subUid: "8800200001" },
  savingsRedeemResult: { orderId: "1" },
};

const MONTH_MS = 30 * 86_400_000;

/** Values for every required parameter of an endpoint, by rules that hold for all of them. */
function requiredValues({ name, parameters, window }: Endpoint, now: number): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [parameter, { required, tokens }] of Object.entries(parameters)) {
    if (!required) continue;
    if (parameter === window?.from) values[parameter] = String(now - MONTH_MS);
    else if (parameter === window?.to) values[parameter] = String(now);
    else if (tokens !== undefined) values[parameter] = String(tokens[0]);
    else if (parameter === "symbol") values[parameter] = "BTCUSDT";
    else if (parameter === "marginCoin") values[parameter] = "USDT";
  }
  return { ...values, ...CHOSEN[name] };
}

/** The account that an endpoint serves. */
export function callerOf({ serves, audience, path }: Endpoint): PromisedCredential {
  if (audience === "nd-broker") return credentialOf("broker");
  return credentialOf(serves === "CLASSIC" || path.startsWith("/api/v2/mix") ? "classic" : "main");
}

export interface ExampleCall {
  readonly endpoint: Endpoint;
  readonly caller: PromisedCredential;
  readonly target: string;
}

/** One well-formed call of every GET endpoint in the contract. */
export const exampleReads = (now: number): readonly ExampleCall[] =>
  endpoints
    .filter(({ method }) => method === "GET")
    .map((endpoint) => {
      const query = queryString(requiredValues(endpoint, now));
      return { endpoint, caller: callerOf(endpoint), target: query === "" ? endpoint.path : `${endpoint.path}?${query}` };
    });
