import { exact, plain } from "@exchange-graph/contract/decimal";
import { CLASSIC_SUB_UIDS, CLASSIC_UID, MAIN_UID } from "@exchange-graph/sandbox/world/opening/initialAccounts";
import { describe, expect, it } from "vitest";
import { iso, sharedGraph, withKnownModes } from "./support/sharedGraph.js";
import { placeClassicFutures, placeClassicSpot, placeUnified } from "./support/trade.js";

/** Where the money of an account came from, and what of it can leave. */

const live = withKnownModes(sharedGraph({ hasLimits: false }));

type Row = Readonly<Record<string, string | null>>;

const DOCUMENT = /* GraphQL */ `
  query ($account: String!, $first: Int, $after: String, $category: FinancialRecordCategoryInput, $coin: String, $symbol: String, $from: DateTime) {
    account(name: $account) {
      financialRecords(first: $first, after: $after, category: $category, coin: $coin, symbol: $symbol, from: $from) {
        nodes { recordId account { name } category symbol coin kind kindRaw type amount fee change balance createdTime }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`;

async function records(account: string, variables: object = {}): Promise<readonly Row[]> {
  const { data } = await live.while(live.answer(DOCUMENT, { account, first: 500, ...variables }));
  return data.account.financialRecords.nodes;
}

const sum = (rows: readonly Row[]): string => plain(rows.reduce((total, { change }) => total.plus(change ?? "0"), exact("0")));

describe("financial records", () => {
  it("explain every change of the balances of a unified account, to the last digit", async () => {
    const BALANCES = '{ account(name: "main") { unifiedAssets { assets { coin balance } } fundingBalances { coin balance } } }';
    const balances = async () => (await live.run(BALANCES)).data.account;
    const before = await balances();
    const start = live.now();
    live.nextMinute();
    await placeUnified(live, { side: "buy", qty: "0.01" });
    await placeUnified(live, { side: "sell", qty: "0.02" });
    await placeUnified(live, { category: "SPOT", symbol: "ETHUSDT", side: "buy", qty: "300" });
    live.sandbox.services.wallets.deposit(MAIN_UID, "USDT", exact("12.345678"));
    live.sandbox.world.transfers.transfer(
      { uid: MAIN_UID, kind: "funding" },
      { uid: MAIN_UID, kind: "unified" },
      "USDT",
      exact("5"),
    );
    live.nextMinute();
    const after = await balances();
    const funding = (
      await live.run('{ account(name: "main") { fundingRecords(first: 100) { nodes { coin change createdTime kind } } } }')
    ).data.account.fundingRecords.nodes as readonly Row[];
    const isNew = ({ createdTime }: Row) => Date.parse(createdTime ?? "") > start;
    const unified = (await records("main")).filter(isNew);
    expect(unified.length).toBeGreaterThan(4);
    const changes = (was: readonly Row[], is: readonly Row[]) =>
      is.map(({ coin, balance }) => {
        const old = was.find((row) => row.coin === coin)?.balance ?? "0";
        return [coin, plain(exact(balance ?? "0").minus(old ?? "0"))];
      });
    const explained = (rows: readonly Row[], is: readonly Row[]) =>
      is.map(({ coin }) => [coin, sum(rows.filter((row) => row.coin === coin))]);
    expect(explained(unified, after.unifiedAssets.assets)).toEqual(
      changes(before.unifiedAssets.assets, after.unifiedAssets.assets),
    );
    expect(explained(funding.filter(isNew), after.fundingBalances)).toEqual(
      changes(before.fundingBalances, after.fundingBalances),
    );
    expect(new Set(unified.map(({ kind }) => kind))).toEqual(new Set(["TRADE", "TRANSFER"]));
    expect(funding.filter(isNew).map(({ kind }) => kind)).toEqual(["TRANSFER", "DEPOSIT"]);
  });

  it("of a Classic account are those of its spot, margin and futures accounts, newest first", async () => {
    await placeClassicSpot(live, { side: "sell", orderType: "market", size: "0.001" });
    await placeClassicFutures(live, { side: "buy", size: "0.01" });
    live.nextMinute();
    const { data, calls } = await live.answer(DOCUMENT, { account: "classic", first: 50 });
    expect(calls.toSorted()).toEqual([
      ...["classicCrossedMarginRecords", "classicFuturesBills", "classicFuturesBills", "classicFuturesBills", "classicSpotBills"],
    ]);
    const { nodes } = data.account.financialRecords;
    const times = nodes.map(({ createdTime }: { createdTime: string }) => createdTime);
    expect(times).toEqual(times.toSorted().reverse());
    for (const category of ["SPOT", "MARGIN", "USDT_FUTURES", "COIN_FUTURES", "USDC_FUTURES"]) {
      const own = await records("classic", { category });
      expect([category, ...new Set(own.map((row) => row.category))]).toEqual([category, category]);
    }
    expect(nodes.find(({ category, kind }: Row) => category === "USDT_FUTURES" && kind === "TRADE")).toMatchObject({
      ...{ symbol: "BTCUSDT", coin: "USDT", type: "buy", kindRaw: "buy", amount: "0", account: { name: "classic" } },
      fee: expect.stringMatching(/^0\.\d+$/),
      change: expect.stringMatching(/^-0\.\d+$/),
    });
  });

  it("are read from the one list of their category, and page without losing or repeating one", async () => {
    const from = iso(live.now() - 12 * 3_600_000);
    const whole = await records("main", { from });
    for (const category of ["USDT_FUTURES", "OTHER"]) {
      live.nextMinute();
      const run = await live.run(DOCUMENT, { account: "main", first: 20, category, from });
      expect(run.calls).toEqual(["financialRecords"]);
      const own = run.data.account.financialRecords.nodes as readonly Row[];
      expect(own).toEqual(whole.filter((row) => row.category === category).slice(0, 20));
    }
    const pages = await live.pages(DOCUMENT, (data) => data.account.financialRecords, { account: "main", first: 7, from });
    const paged = pages.flatMap(({ nodes }) => nodes);
    expect(paged.map(({ recordId }) => recordId)).toEqual(whole.slice(0, paged.length).map(({ recordId }) => recordId));
    expect(paged.length).toBeGreaterThan(20);
  });

  it("refuse what the account's mode does not have, and send nothing", async () => {
    for (const [account, asked, code] of [
      ["classic", { category: "OTHER" }, "ACCOUNT_MODE_MISMATCH"],
      ["main", { category: "MARGIN", symbol: "BTCUSDT" }, "ACCOUNT_MODE_MISMATCH"],
      ["classic", { category: "SPOT", symbol: "BTCUSDT" }, "BAD_USER_INPUT"],
    ] as const) {
      const { errors, calls } = await live.run(DOCUMENT, { account, ...asked });
      expect([errors.map(({ extensions }) => extensions.code), calls]).toEqual([[code], []]);
    }
    const { errors } = await live.run('{ account(name: "classic") { fundingRecords { nodes { coin } } } }');
    expect(errors[0]?.extensions.code).toBe("ACCOUNT_MODE_MISMATCH");
  });

  it("of isolated margin are those of the pair's account", async () => {
    const own = { uid: CLASSIC_UID, kind: "isolated-margin", symbol: "BTCUSDT" } as const;
    live.sandbox.world.transfers.transfer({ uid: CLASSIC_UID, kind: "spot" }, own, "USDT", exact("4.5"));
    live.nextMinute();
    expect(await records("classic", { category: "MARGIN", symbol: "BTCUSDT" })).toMatchObject([
      { coin: "USDT", kind: "TRANSFER", change: "4.5", balance: "4.5", category: "MARGIN" },
    ]);
  });

  it.each(["main", "classic"])("funding of %s is what its positions have paid and received", async (account) => {
    const PAYMENTS =
      "query ($account: String!, $from: DateTime) { account(name: $account) { fundingPayments(first: 500, from: $from) { nodes { symbol coin kind change } } } }";
    const from = iso(live.now());
    live.clock.advance(8 * 3_600_000);
    live.nextMinute();
    const { data } = await live.while(live.answer(PAYMENTS, { account, from }));
    const { nodes } = data.account.fundingPayments;
    expect(nodes.length).toBeGreaterThan(2);
    expect(new Set(nodes.map(({ kind }: Row) => kind))).toEqual(new Set(["FUNDING"]));
    const whole = (await records(account, { from })).filter(({ kind }) => kind === "FUNDING");
    expect([sum(nodes), nodes.length]).toEqual([sum(whole), whole.length]);
  });
});

describe("deposits, withdrawals and transfers", () => {
  it.each([
    ["main", MAIN_UID, ["depositRecords", "withdrawalRecords"]],
    ["classic", CLASSIC_UID, ["classicDepositRecords", "classicWithdrawalRecords"]],
  ])("are those of %s, in the same shape", async (account, uid, expected) => {
    const { wallets } = live.sandbox.services;
    wallets.deposit(uid, "USDT", exact("77"));
    wallets.withdraw({
      uid,
      coin: "USDT",
      dest: "on_chain",
      chain: "BEP20",
      address: "0xabc",
      amount: exact("9"),
      clientOid: "out",
    });
    live.nextMinute();
    const { data, calls } = await live.answer(
      /* GraphQL */ `
        query ($account: String!) {
          account(name: $account) {
            deposits(first: 1, coin: "USDT") {
              nodes { orderId txId coin source chain amount status fromAddress toAddress createdTime account { name } }
            }
            withdrawals(first: 1, clientOid: "out") {
              nodes { orderId clientOid txId coin dest chain amount fee status toAddress tag confirmations createdTime account { name } }
            }
          }
        }
      `,
      { account },
    );
    expect(calls.toSorted()).toEqual(expected);
    expect(data.account.deposits.nodes).toMatchObject([
      { coin: "USDT", source: "ON_CHAIN", chain: "TRC20", amount: "77", status: "SUCCESS", account: { name: account } },
    ]);
    expect(data.account.withdrawals.nodes).toMatchObject([
      {
        coin: "USDT",
        dest: "ON_CHAIN",
        chain: "BEP20",
        amount: "9",
        fee: "0.3",
        toAddress: "0xabc",
        clientOid: "out",
        confirmations: 1,
      },
    ]);
  });

  it("between wallets of a Classic account are listed by coin; a unified account has no such list", async () => {
    live.sandbox.world.transfers.transfer(
      { uid: CLASSIC_UID, kind: "spot" },
      { uid: CLASSIC_UID, kind: "usdt-futures" },
      "USDT",
      exact("3"),
      "t",
    );
    live.nextMinute();
    const TRANSFERS = `query ($account: String!) { account(name: $account) { transfers(coin: "USDT", fromWallet: SPOT, first: 1) {
      nodes { transferId clientOid coin amount fromWallet toWallet status createdTime }
    } } }`;
    const { data, calls } = await live.run(TRANSFERS, { account: "classic" });
    expect(calls).toEqual(["classicTransfers"]);
    expect(data.account.transfers.nodes).toMatchObject([
      { clientOid: "t", coin: "USDT", amount: "3", fromWallet: "SPOT", toWallet: "USDT_FUTURES", status: "SUCCESSFUL" },
    ]);
    const refused = await live.run(TRANSFERS, { account: "main" });
    expect([refused.errors[0]?.extensions.code, refused.calls]).toEqual(["ACCOUNT_MODE_MISMATCH", []]);
  });

  it("between wallets of a Classic account are one list without a coin, whole and in pages, from a list of each coin", async () => {
    const [spot, funding] = [{ uid: CLASSIC_UID, kind: "spot" } as const, { uid: CLASSIC_UID, kind: "funding" } as const];
    const sent = [
      ["ETH", "0.01"],
      ["USDT", "4"],
      ["ETH", "0.02"],
      ["USDT", "5"],
      ["USDT", "6"],
    ] as const;
    const from = iso(live.now());
    for (const [coin, amount] of sent) {
      live.sandbox.world.transfers.transfer(spot, funding, coin, exact(amount));
      live.nextMinute();
    }
    const ALL = `query ($first: Int, $after: String, $from: DateTime) { account(name: "classic") {
      transfers(first: $first, after: $after, from: $from, fromWallet: SPOT) { nodes { coin amount } pageInfo { hasNextPage endCursor } }
    } }`;
    const { data, calls } = await live.while(live.answer(ALL, { from, first: 500 }));
    const { nodes, pageInfo } = data.account.transfers;
    expect(nodes.map(({ coin, amount }: Row) => [coin, amount])).toEqual(sent.toReversed());
    expect(pageInfo.hasNextPage).toBe(false);
    // USDT, USDC and ETH.
    const lists = calls.filter((name) => name !== "accountSettings");
    expect(lists.toSorted()).toEqual(["classicSpotBills", "classicTransfers", "classicTransfers", "classicTransfers"]);
    const pages = await live.pages(ALL, ({ account }) => account.transfers, { from, first: 2 });
    const paged = pages.flatMap((page) => page.nodes);
    expect(paged).toEqual(nodes);
    const refused = await live.run(ALL, { from, after: "no cursor" });
    expect([refused.errors[0]?.extensions.code, refused.calls]).toEqual(["BAD_USER_INPUT", []]);
  });

  it("with sub-accounts are those that a user has sent, or has received", async () => {
    const [subUid] = CLASSIC_SUB_UIDS;
    const [master, sub] = [{ uid: CLASSIC_UID, kind: "spot" } as const, { uid: subUid, kind: "spot" } as const];
    live.sandbox.world.transfers.transfer(master, sub, "USDT", exact("6"));
    live.sandbox.world.transfers.transfer(sub, master, "USDT", exact("2"));
    live.nextMinute();
    const { data, calls } = await live.run(`{ account(name: "classic") {
      sent: subAccountTransfers { nodes { amount fromUserId toUserId } }
      received: subAccountTransfers(role: RECEIVER) { nodes { amount } }
      ofSub: subAccountTransfers(subUid: "${subUid}") { nodes { amount } }
    } }`);
    expect(calls).toEqual(["classicSubTransfers", "classicSubTransfers", "classicSubTransfers"]);
    expect(data.account.sent.nodes).toEqual([{ amount: "6", fromUserId: CLASSIC_UID, toUserId: subUid }]);
    expect([data.account.received.nodes, data.account.ofSub.nodes]).toEqual([[{ amount: "2" }], [{ amount: "2" }]]);
    const unified = await live.run('{ account(name: "main") { subAccountTransfers { nodes { amount } } } }');
    expect([unified.errors, unified.calls]).toEqual([[], ["subTransfers"]]);
  });

  const PAGE = `query ($after: String) { account(name: "classic") {
    transfers(coin: "BTC", first: 4, after: $after) { nodes { amount } pageInfo { hasNextPage endCursor } }
  } }`;

  it("pages through numbered pages without losing or repeating a transfer", async () => {
    for (let number = 1; number <= 9; number++)
      live.sandbox.world.transfers.transfer(
        { uid: CLASSIC_UID, kind: "spot" },
        { uid: CLASSIC_UID, kind: "funding" },
        "BTC",
        exact(`0.00${number}`),
      );
    live.nextMinute();
    const found = (await live.pages(PAGE, (data) => data.account.transfers)).flatMap(({ nodes }) => nodes);
    expect(found.map(({ amount }) => amount?.at(-1))).toEqual([..."987654321"]);
  });
});

describe("what of a coin can leave", () => {
  it("is at most the balance, and none of it is needed elsewhere", async () => {
    const { data, errors, calls } = await live.run(`{
      main: account(name: "main") {
        maxTransfer(coin: "USDT") { coin amount amountWithBorrowing }
        maxWithdrawal(coin: "USDT") { coin total fromUnified fromFunding fromOtc }
        fundingBalances { coin available }
      }
      classic: account(name: "classic") { maxTransfer(coin: "USDT") { amount amountWithBorrowing } maxWithdrawal(coin: "USDT") { total } }
    }`);
    expect(errors.map(({ path, extensions }) => [path, extensions.code])).toEqual([
      [["classic", "maxWithdrawal"], "ACCOUNT_MODE_MISMATCH"],
    ]);
    expect(calls.toSorted()).toEqual(["classicMarginMaxTransfer", "fundingAssets", "maxTransferable", "maxWithdrawal"]);
    const { maxTransfer, maxWithdrawal, fundingBalances } = data.main;
    expect(maxTransfer).toMatchObject({ coin: "USDT", amount: expect.stringMatching(/^\d+(\.\d+)?$/) });
    const { available } = fundingBalances.find(({ coin }: { coin: string }) => coin === "USDT");
    expect(exact(maxWithdrawal.total).lte(available)).toBe(true);
    expect(maxWithdrawal).toEqual({
      coin: "USDT",
      total: maxWithdrawal.fromFunding,
      fromUnified: "0",
      fromFunding: maxWithdrawal.total,
      fromOtc: "0",
    });
    expect(data.classic.maxTransfer).toEqual({ amount: "3000", amountWithBorrowing: null });
  });
});

describe("fee rates, coins and open interest", () => {
  it("of an account are one call for any symbols, and one for each list without a category", async () => {
    const { data, calls } = await live.answer(`{
      main: account(name: "main") { feeRates(category: SPOT, symbols: ["BTCUSDT", "ETHUSDT"]) { symbol maker taker } }
      classic: account(name: "classic") { feeRates(category: USDT_FUTURES, symbols: ["BTCUSDT"]) { symbol maker taker } }
    }`);
    expect(calls.toSorted()).toEqual(["classicFeeRates", "feeRates"]);
    expect(data.main.feeRates).toEqual([
      { symbol: "BTCUSDT", maker: "0.001", taker: "0.001" },
      { symbol: "ETHUSDT", maker: "0.001", taker: "0.001" },
    ]);
    expect(data.classic.feeRates).toContainEqual({ symbol: "BTCUSDT", maker: "0.0002", taker: "0.0006" });
    // Without a category: those lists, and the others.
    // The exchange takes three of these calls a second.
    const all = await live.while(
      live.run(`{
        main: account(name: "main") { feeRates(symbols: ["BTCUSDT"]) { category symbol } }
        classic: account(name: "classic") { feeRates(symbols: ["BTCUSDT", "BTCPERP"]) { category symbol } }
      }`),
    );
    expect(all.errors).toEqual([]);
    expect(all.calls.toSorted()).toEqual([...new Array(2).fill("classicFeeRates"), ...new Array(4).fill("feeRates")]);
    const named = (rows: readonly Row[]) => rows.map(({ category, symbol }) => `${category} ${symbol}`);
    expect(named(all.data.main.feeRates)).toEqual(["SPOT BTCUSDT", "MARGIN BTCUSDT", "USDT_FUTURES BTCUSDT"]);
    // The exchange lists futures without their category.
    expect(named(all.data.classic.feeRates)).toEqual(["SPOT BTCUSDT", "MARGIN BTCUSDT", "null BTCUSDT", "null BTCPERP"]);
  });

  it("coins have their chains with fees and minimums, up to a minute old", async () => {
    const { data, calls } = await live.answer(`{
      coins(coins: ["usdt", "XRP"]) { coin isTransferable isRegional chains {
        chain isTagRequired isWithdrawable isDepositable withdrawFee burnRate depositConfirmations minWithdrawAmount withdrawStep withdrawPlaces congestion contractAddress
      } }
      coin(coin: "fil") { coin chains { chain withdrawFee } }
      none: coin(coin: "XYZ") { coin }
    }`);
    expect(calls).toEqual(["coins"]);
    const [usdt, xrp] = data.coins;
    expect(usdt).toMatchObject({ coin: "USDT", isTransferable: true, isRegional: false });
    expect(usdt.chains[0]).toEqual({
      ...{ chain: "TRC20", isTagRequired: false, isWithdrawable: true, isDepositable: true, withdrawFee: "1", burnRate: "0" },
      ...{ depositConfirmations: 1, minWithdrawAmount: "2", withdrawStep: "0", withdrawPlaces: 8, congestion: "NORMAL" },
      contractAddress: null,
    });
    expect(xrp.chains).toMatchObject([{ chain: "Ripple", isTagRequired: true }]);
    expect([data.coin, data.none]).toEqual([{ coin: "FIL", chains: [{ chain: "FIL", withdrawFee: "0.02" }] }, null]);
  });

  it("open interest is that of the tickers", async () => {
    const { data, calls } = await live.run(
      '{ openInterests(category: USDC_FUTURES, symbols: ["BTCPERP"]) { symbol openInterest } ticker(category: USDC_FUTURES, symbol: "BTCPERP") { openInterest } }',
    );
    expect(calls.toSorted()).toEqual(["openInterests", "tickers"]);
    expect(data.openInterests).toEqual([{ symbol: "BTCPERP", openInterest: data.ticker.openInterest }]);
    const all = await live.run('{ openInterests(symbols: ["BTCPERP", "BTCUSDT"]) { category symbol } }');
    expect(all.calls).toEqual(["openInterests", "openInterests"]);
    expect(all.data.openInterests).toEqual([
      { category: "USDT_FUTURES", symbol: "BTCUSDT" },
      { category: "USDC_FUTURES", symbol: "BTCPERP" },
    ]);
  });
});
