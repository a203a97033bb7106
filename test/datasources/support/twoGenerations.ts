import { ManualClock } from "@exchange-graph/contract/clock";
import { type DataSource, type ExchangeAccount, RequestReads } from "../../../src/datasources/index.js";
import { accountNamed, exchangeOver } from "../../support/exchangeOver.js";
import { type ScriptedExchange, scriptedExchange } from "../../support/scriptedExchange.js";

export const SETTINGS = "/api/v3/account/settings";

/** An exchange at which the account `main` is unified and the account `classic` is not. Its time does not advance. */
export interface TwoGenerations {
  readonly upstream: ScriptedExchange;
  readonly exchange: DataSource;
  readonly main: ExchangeAccount;
  readonly classic: ExchangeAccount;
  /** A separate request. */
  readonly request: () => RequestReads;
  /** What was asked for, apart from the accounts' modes. */
  readonly targets: () => string[];
  close(): Promise<void>;
}

export async function twoGenerations(): Promise<TwoGenerations> {
  const upstream = await scriptedExchange();
  const [main, classic] = [accountNamed("main"), accountNamed("classic")];
  const exchange = exchangeOver(upstream.url, { accounts: [main, classic], clock: new ManualClock(Date.UTC(2026, 0, 1)) });
  upstream.on(SETTINGS, ({ headers }) =>
    headers["access-key"] === "main-key"
      ? { data: { uid: "8800112233", accountMode: "unified", assetMode: "multi_assets", holdMode: "hedge_mode" } }
      : { code: "40084", msg: "You are in Classic Account mode" },
  );
  return {
    upstream,
    exchange,
    main,
    classic,
    request: () => new RequestReads(exchange),
    targets: () => upstream.calls.filter(({ path }) => path !== SETTINGS).map(({ target }) => target),
    close: async () => {
      await exchange.close();
      await upstream.close();
    },
  };
}
