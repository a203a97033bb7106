import type { ManualClock } from "@exchange-graph/contract/clock";
import { exact } from "@exchange-graph/contract/decimal";
import type { Sandbox } from "@exchange-graph/sandbox";
import { ALL_PERMISSIONS } from "@exchange-graph/sandbox/credentials";
import { causeOf } from "@exchange-graph/sandbox/world/cause";
import { houseWallet, walletOf } from "@exchange-graph/sandbox/world/ledger";
import { createDataSource, type DataSource, type ExchangeAccount, Secret } from "../../src/datasources/index.js";
import { createStreams, type Streams } from "../../src/datasources/streams/index.js";

/** Accounts and gateways for a fleet of dashboards. */

/** Set-up: one gateway with live state, one gateway without it, or a separate gateway for each dashboard. */
export type SetUp = "live" | "no live state" | "gateway per dashboard";

export const credentialOf = (uid: string) => ({
  key: `key-${uid}`,
  secret: `secret-${uid}`,
  passphrase: "passphrase",
  uid,
  permissions: ALL_PERMISSIONS,
  isDemo: false,
});

export const accountOf = (uid: string): ExchangeAccount => ({
  name: uid,
  credentials: { apiKey: new Secret(`key-${uid}`), apiSecret: new Secret(`secret-${uid}`), passphrase: new Secret("passphrase") },
  isCopyTrader: false,
});

/** Opens accounts, half of them Classic, each with coins, a position and an open order. */
export function openAccounts({ world }: Sandbox, uids: readonly string[], now: number): void {
  const { accounts, ledger } = world.state;
  for (const [at, uid] of uids.entries()) {
    const isUnified = at % 2 === 0;
    accounts.open({ uid, mode: isUnified ? "unified" : "classic", createdTime: now });
    const wallets = isUnified ? (["unified"] as const) : (["spot", "usdt-futures"] as const);
    for (const wallet of wallets) {
      ledger.move(houseWallet("chain"), walletOf(uid, wallet), "USDT", exact("50000"), causeOf("deposit"));
      if (wallet !== "usdt-futures")
        ledger.move(houseWallet("chain"), walletOf(uid, wallet), "BTC", exact("1"), causeOf("deposit"));
    }
    const symbol = at % 3 === 0 ? "BTCUSDT" : "ETHUSDT";
    const futures = isUnified ? {} : { marginCoin: "USDT", marginMode: "crossed" as const };
    const order = { uid, category: "USDT-FUTURES", symbol, side: "buy", quantity: exact("0.1"), ...futures } as const;
    world.orders.place({ ...order, orderType: "market" });
    world.orders.place({
      uid,
      category: "SPOT",
      symbol: "BTCUSDT",
      side: "buy",
      orderType: "limit",
      quantity: exact("0.01"),
      price: exact("20000"),
    });
  }
}

/** Places a market order that is filled at once, without the gateway. */
export function trade({ world }: Sandbox, uid: string): void {
  const order = { uid, category: "SPOT", symbol: "BTCUSDT", orderType: "market", quantity: exact("0.001") } as const;
  world.orders.place({ ...order, side: "sell" });
}

export function gatewayOf(
  sandbox: Sandbox,
  accounts: readonly ExchangeAccount[],
  clock: ManualClock,
  setUp: SetUp,
): { readonly exchange: DataSource; readonly streams: Streams | undefined } {
  const exchange = createDataSource({
    baseUrl: new URL(sandbox.url),
    accounts,
    demo: false,
    deadlineMs: setUp === "gateway per dashboard" ? 1_000 : 10_000,
    connections: setUp === "gateway per dashboard" ? 2 : 64,
    cacheEntries: 10_000,
    random: () => 0.5,
    clock,
  });
  if (setUp !== "live") return { exchange, streams: undefined };
  const streams = createStreams({ exchange, wsUrl: new URL(sandbox.wsUrl), clock, random: () => 0.5, live: "auto" });
  return { exchange, streams };
}
