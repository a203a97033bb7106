import { beforeEach, describe, expect, it } from "vitest";
import { everyRow } from "../../../../packages/contract/test/support/everyRow.js";
import { Fault } from "../../../../src/datasources/index.js";
import { accountState } from "../../../../src/datasources/streams/channels/balances.js";
import { fillsState } from "../../../../src/datasources/streams/channels/fills.js";
import { positionsState } from "../../../../src/datasources/streams/channels/positions.js";
import type { TopicSink } from "../../../../src/datasources/streams/upstream/link.js";
import { startedForEach } from "../../../support/started.js";
import { accountWorld, wirePosition } from "../support/accountWorld.js";
import { START } from "../support/followed.js";
import type { Written } from "../support/handFed.js";

const at = (later: number) => String(START + later);

const world = startedForEach(accountWorld);

const up = async (topics: number, heard: Written<unknown>, events: number) => {
  await world.until(() => world.topics.length === topics);
  for (const { sink } of world.topics) sink.up();
  await world.until(() => heard.isReady && heard.events.length >= events);
};
const again = async (heard: Written<unknown>) => {
  const before = heard.events.length;
  for (const { sink } of world.topics) sink.up();
  await world.until(() => heard.events.length > before);
};

describe("a stream of fills", () => {
  const fill = (execId: string, changes: object = {}) => ({
    execId,
    orderId: "1",
    category: "SPOT",
    symbol: "BTCUSDT",
    side: "buy",
    execPrice: "1",
    execQty: "1",
    feeDetail: [],
    execTime: at(1_000),
    createdTime: at(1_000),
    ...changes,
  });
  const reported = ({ events }: Written<readonly { execId: string }[]>) =>
    events.map(({ stale, value }) => `${stale ? "stale " : ""}${value.map(({ execId }) => execId).join(" ")}`);

  it("is ready before anything is executed, and emits each fill once", async () => {
    const { heard, feed } = world.open(fillsState);
    await up(1, heard, 0);
    world.topic().push([fill("a"), fill("b")], "snapshot");
    world.topic().push([fill("b"), fill("c")], "snapshot");
    expect(reported(heard)).toEqual(["a b", "c"]);
    expect(feed.current()).toBeUndefined();
  });

  it("finds those of a gap in every category, newest first, and none from before the first listener", async () => {
    world.fills.push(fill("before", { createdTime: at(-60_000) }));
    const { heard } = world.open(fillsState);
    await up(1, heard, 0);
    world.topic().push([fill("a")], "snapshot");
    world.topic().sink.down();
    world.fills.push(
      fill("a"),
      fill("b", { createdTime: at(2_000) }),
      fill("c", { category: "USDT-FUTURES", createdTime: at(3_000) }),
    );
    await again(heard);
    expect(reported(heard)).toEqual(["a", "stale ", "c b"]);
  });

  it("finds one whose push was lost, when it is compared with the exchange", async () => {
    const { feed, heard } = world.open(fillsState);
    await up(1, heard, 0);
    world.topic().push([fill("a")], "snapshot");
    world.fills.push(fill("before", { createdTime: at(-60_000) }), fill("a"), fill("lost"));
    world.clock.advance(300_000);
    expect(reported(heard)).toEqual(["a"]);
    feed.compare(feed.parts.map(({ name }) => name));
    await world.until(() => heard.events.length > 1);
    expect(reported(heard)).toEqual(["a", "lost"]);
  });
});

it("a stream fails with the reason if no connection can take it", async () => {
  const full = new Fault("RATE_LIMITED", "every connection is full");
  Object.assign(world.upstream.connections, {
    follow: (_topic: object, sink: TopicSink) => sink.failed(full),
  });
  const { heard } = world.open(positionsState);
  await world.until(() => heard.fault !== undefined);
  expect(heard.fault).toBe(full);
});

describe("a stream of positions", () => {
  const reported = ({ events }: Written<readonly { symbol: string; qty: string | null; status: string | null }[]>) =>
    events.map(
      ({ kind, stale, value }) =>
        `${kind}${stale ? " stale" : ""}: ${value.map(({ symbol, qty, status }) => `${symbol} ${qty} ${status}`).join(", ")}`,
    );

  it("begins with the open ones, emits changes and ends, and drops what has ended", async () => {
    world.positions = [wirePosition("BTCUSDT")];
    const { heard, feed } = world.open(positionsState);
    await up(1, heard, 1);
    const push = (...items: object[]) => world.topic().push(items, "update");
    push(wirePosition("BTCUSDT", { size: "2", updatedTime: at(1) }), wirePosition("ETHUSDT", { updatedTime: at(1) }));
    push(wirePosition("ETHUSDT", { updatedTime: at(1) }));
    push(wirePosition("BTCUSDT", { size: "0", positionStatus: "ended", updatedTime: at(2) }));
    // A late message does not bring it back to life.
    push(wirePosition("BTCUSDT", { size: "2", updatedTime: at(1) }));
    expect(reported(heard)).toEqual([
      "snapshot: BTCUSDT 1 normal",
      "update: BTCUSDT 2 normal, ETHUSDT 1 normal",
      "update: BTCUSDT 0 ended",
    ]);
    expect(feed.current()?.value.map(({ symbol }) => symbol)).toEqual(["ETHUSDT"]);
    push(wirePosition("BTCUSDT", { updatedTime: at(3) }));
    expect(reported(heard).at(-1)).toBe("update: BTCUSDT 1 normal");
  });

  it("ends no position that it cannot read, in a push or in a list", async () => {
    world.positions = [wirePosition("BTCUSDT"), wirePosition("ETHUSDT")];
    const { heard, feed } = world.open(positionsState);
    await up(1, heard, 1);
    world.positions = [wirePosition("BTCUSDT", { size: "much" }), wirePosition("ETHUSDT")];
    world.topic().push([wirePosition("BTCUSDT", { size: "much" })], "snapshot", START + 1);
    expect(reported(heard).slice(1)).toEqual(["update stale: "]);
    await world.until(() => world.rest.callsOf("/api/v3/position/current-position").length > 3);
    expect(feed.current()?.value.map(({ symbol }) => symbol)).toEqual(["BTCUSDT", "ETHUSDT"]);
    expect(feed.isLive).toBe(false);
    world.positions = [wirePosition("ETHUSDT")];
    await world.until(() => feed.isLive);
    expect(feed.current()?.value.map(({ symbol }) => symbol)).toEqual(["ETHUSDT"]);
    expect(reported(heard).at(-1)).toBe("update: BTCUSDT 0 ended");
  });

  it("emits a position that is opened in the millisecond in which the one before it ended", async () => {
    world.positions = [wirePosition("BTCUSDT", { createdTime: at(0) })];
    const { heard } = world.open(positionsState);
    await up(1, heard, 1);
    const push = (...items: object[]) => world.topic().push(items, "update");
    push(wirePosition("BTCUSDT", { size: "0", positionStatus: "ended", createdTime: at(0), updatedTime: at(2) }));
    push(wirePosition("BTCUSDT", { size: "3", createdTime: at(0), updatedTime: at(2) }));
    push(wirePosition("BTCUSDT", { size: "4", createdTime: at(2), updatedTime: at(2) }));
    expect(reported(heard).slice(1)).toEqual(["update: BTCUSDT 0 ended", "update: BTCUSDT 4 normal"]);
  });

  it("emits a position that is opened, closed and opened again in one millisecond, and reads whether it is open", async () => {
    const { heard, feed } = world.open(positionsState);
    await up(1, heard, 1);
    const push = (...items: object[]) => world.topic().push(items, "update");
    const then = { createdTime: at(2), updatedTime: at(2) };
    push(wirePosition("BTCUSDT", then));
    push(wirePosition("BTCUSDT", { ...then, size: "0", positionStatus: "ended" }));
    push(wirePosition("BTCUSDT", then));
    expect(reported(heard).slice(1)).toEqual(["update: BTCUSDT 1 normal", "update: BTCUSDT 0 ended", "update: BTCUSDT 1 normal"]);
    expect(feed.isProven()).toBe(false);
    await world.until(() => heard.events.length > 4);
    expect(reported(heard).at(-1)).toBe("update: BTCUSDT 0 ended");
  });

  it("emits a position that is opened again after the exchange's clock was set back", async () => {
    const ahead = (second: number) => ({ createdTime: at(60_000), updatedTime: at(60_000 + second * 1_000) });
    world.positions = [wirePosition("BTCUSDT", ahead(0))];
    const { heard } = world.open(positionsState);
    await up(1, heard, 1);
    const push = (time: number, item: object) => world.topic().push([item], "update", START + time);
    push(62_000, wirePosition("BTCUSDT", { size: "0", positionStatus: "ended", ...ahead(2) }));
    push(61_000, wirePosition("BTCUSDT", { size: "2", ...ahead(1) }));
    push(5, wirePosition("BTCUSDT", { size: "3", createdTime: at(5), updatedTime: at(5) }));
    expect(reported(heard).slice(1)).toEqual(["update: BTCUSDT 0 ended", "update: BTCUSDT 3 normal"]);
  });

  it("emits the ends that it missed in a gap", async () => {
    world.positions = [wirePosition("BTCUSDT"), wirePosition("ETHUSDT")];
    const { heard } = world.open(positionsState);
    await up(1, heard, 1);
    world.topic().sink.down();
    world.positions = [wirePosition("ETHUSDT", { size: "3", updatedTime: at(5) })];
    await again(heard);
    expect(reported(heard).slice(1)).toEqual(["update stale: ", "update: ETHUSDT 3 normal, BTCUSDT 0 ended"]);
  });

  it("takes the snapshot of a new subscription for all there is", async () => {
    world.positions = [wirePosition("BTCUSDT"), wirePosition("ETHUSDT")];
    const { heard } = world.open(positionsState);
    await up(1, heard, 1);
    world.topic().push([wirePosition("ETHUSDT")], "snapshot");
    expect(reported(heard).at(-1)).toBe("update: BTCUSDT 0 ended");
  });

  it("takes the word of a push over a list that was read meanwhile", async () => {
    world.positions = [wirePosition("BTCUSDT"), wirePosition("ETHUSDT")];
    const { heard, feed } = world.open(positionsState);
    await up(1, heard, 1);
    world.topic().sink.down();
    world.topic().sink.up();
    world.topic().push([wirePosition("BTCUSDT", { size: "0", positionStatus: "ended", updatedTime: at(2) })], "update");
    await world.until(() => feed.current()?.stale === false);
    expect(feed.current()?.value.map(({ symbol }) => symbol)).toEqual(["ETHUSDT"]);
  });

  it("keeps a position that has changed since a list was pushed, until a reading shows that it has ended", async () => {
    world.positions = [wirePosition("BTCUSDT", { updatedTime: at(2_000) }), wirePosition("ETHUSDT")];
    const { heard, feed } = world.open(positionsState);
    await up(1, heard, 1);
    world.topic().push([wirePosition("ETHUSDT")], "snapshot", START + 1_000);
    expect(reported(heard).slice(1)).toEqual([]);
    expect(feed.current()?.value.map(({ symbol }) => symbol)).toEqual(["BTCUSDT", "ETHUSDT"]);
    world.positions = [wirePosition("ETHUSDT")];
    await world.until(() => heard.events.length > 1);
    expect(reported(heard).slice(1)).toEqual(["update: BTCUSDT 0 ended"]);
  });

  it("of a Classic account have ended when they are absent from the list", async () => {
    world.becomeClassic();
    world.rest.on("/api/v2/mix/position/all-position", () => ({ data: [], requestTime: world.clock.now() }));
    const { heard, feed } = world.open(positionsState);
    await up(3, heard, 1);
    const classic = (symbol: string) => ({
      instId: symbol,
      marginCoin: "USDT",
      marginMode: "crossed",
      holdSide: "long",
      posMode: "one_way_mode",
      total: "1",
      available: "1",
      frozen: "0",
      cTime: at(0),
      uTime: at(0),
    });
    const usdt = world.topic({ instType: "USDT-FUTURES" });
    usdt.push([classic("BTCUSDT"), classic("ETHUSDT")], "snapshot");
    world.topic({ instType: "COIN-FUTURES" }).push([], "snapshot");
    usdt.push([classic("ETHUSDT")], "snapshot");
    expect(reported(heard)).toEqual(["snapshot: ", "update: BTCUSDT 1 null, ETHUSDT 1 null", "update: BTCUSDT 0 ended"]);
    expect(feed.current()?.value).toHaveLength(1);
  });
});

describe("positions of a Classic account", () => {
  const classic = (symbol: string, changes: object = {}) => ({
    symbol,
    instId: symbol,
    marginCoin: "USDT",
    holdSide: "long",
    posMode: "one_way_mode",
    total: "1",
    cTime: at(0),
    uTime: at(0),
    ...changes,
  });
  const listed = { takeProfit: "70000", takeProfitId: "7", stopLoss: "", stopLossId: "", openDelegateSize: "3" };
  let list: object[] = [];
  beforeEach(() => {
    world.becomeClassic();
    world.rest.on("/api/v2/mix/position/all-position", ({ query }) => ({
      data: query.get("productType") === "USDT-FUTURES" ? list : [],
      requestTime: world.clock.now(),
    }));
  });
  const takeProfits = ({
    events,
  }: Written<readonly { symbol: string; takeProfit: string | null; openOrderQty: string | null }[]>) =>
    events.map(({ value }) => value.map((one) => `${one.symbol} ${one.takeProfit} ${one.openOrderQty}`).join(", "));

  it("keep what pushes leave out", async () => {
    list = [classic("BTCUSDT", listed)];
    const { heard } = world.open(positionsState);
    await up(3, heard, 1);
    world.topic({ instType: "USDT-FUTURES" }).push([classic("BTCUSDT", { total: "2", uTime: at(1) })], "snapshot");
    expect(takeProfits(heard)).toEqual(["BTCUSDT 70000 3", "BTCUSDT 70000 3"]);
  });

  it("are read when a push contains a new one, and count as proven from then on", async () => {
    list = [];
    const { heard, feed } = world.open(positionsState);
    await up(3, heard, 1);
    expect(feed.proven()).toEqual([]);
    list = [classic("BTCUSDT", listed)];
    world.topic({ instType: "USDT-FUTURES" }).push([classic("BTCUSDT")], "snapshot");
    expect([takeProfits(heard).at(-1), feed.proven()]).toEqual(["BTCUSDT null null", undefined]);
    await world.until(() => feed.proven() !== undefined);
    expect(takeProfits(heard).at(-1)).toBe("BTCUSDT 70000 3");
  });
});

describe("a stream of an account's holdings", () => {
  const coin = (name: string, equity: string) => ({ coin: name, equity, usdValue: equity, balance: equity, available: equity });
  const pushed = (totalEquity: string, ...coins: object[]) => [{ totalEquity, coin: coins }];

  it("begins with what is read, and puts changed coins in place of known ones", async () => {
    world.assets = { accountEquity: "3", usdtEquity: "3", assets: [coin("USDT", "1"), coin("BTC", "2")] };
    const { heard, feed } = world.open(accountState);
    await up(1, heard, 1);
    world.topic().push(pushed("4", coin("BTC", "3")), "update", START + 5);
    world.topic().push(pushed("0", coin("BTC", "0")), "update", START + 4);
    const equities = heard.events.map(({ kind, value: { unified } }) => [
      kind,
      unified?.equityUsd,
      ...everyRow(unified?.assets ?? []).map((asset) => `${asset.coin} ${asset.equity}`),
    ]);
    expect(equities).toEqual([
      ["snapshot", "3", "USDT 1", "BTC 2"],
      ["update", "4", "USDT 1", "BTC 3"],
    ]);
    world.topic().push(pushed("1", coin("USDT", "1")), "snapshot", START + 6);
    expect(everyRow(feed.current()?.value.unified?.assets ?? []).map((asset) => asset.coin)).toEqual(["USDT"]);
  });

  it("is read again after a gap, unless a push was faster", async () => {
    world.assets = { accountEquity: "3", assets: [] };
    const { heard } = world.open(accountState);
    await up(1, heard, 1);
    world.topic().sink.down();
    world.assets = { accountEquity: "5", assets: [] };
    await again(heard);
    expect(heard.last).toMatchObject({ kind: "snapshot", stale: false, value: { unified: { equityUsd: "5" } } });
    world.topic().sink.down();
    world.topic().sink.up();
    world.topic().push(pushed("6"), "snapshot", START + 9);
    await world.until(() => !heard.last.stale);
    expect(heard.last).toMatchObject({ kind: "snapshot", value: { unified: { equityUsd: "6" } } });
  });

  it("of a Classic account are spot balances and futures wallets, distinguished by what changed", async () => {
    world.becomeClassic();
    const balance = (name: string, available: string) => ({ coin: name, available, frozen: "0", locked: "0", uTime: at(0) });
    const wallet = (available: string) => ({
      marginCoin: "USDT",
      locked: "0",
      frozen: "0",
      available,
      crossedMaxAvailable: "1",
      isolatedMaxAvailable: "1",
      maxOpenPosAvailable: "1",
      maxTransferOut: "1",
      accountEquity: "1",
      equity: "1",
      usdtEquity: "1",
      btcEquity: "1",
      coupon: "0",
      crossedRiskRate: "0",
    });
    world.rest.on("/api/v2/spot/account/assets", () => ({
      data: [balance("USDT", "1"), balance("BTC", "2")],
      requestTime: world.clock.now(),
    }));
    world.rest.on("/api/v2/mix/account/accounts", ({ query }) => ({
      data: query.get("productType") === "USDT-FUTURES" ? [wallet("7")] : [],
      requestTime: world.clock.now(),
    }));
    const { heard, feed } = world.open(accountState);
    await up(4, heard, 1);
    world.topic({ instType: "SPOT" }).push([balance("BTC", "3")], "snapshot");
    world.topic({ instType: "USDT-FUTURES" }).push([wallet("8")], "snapshot");
    expect(
      heard.events.map(({ value: { spot, futures } }) => [spot, futures].map((list) => list.map((one) => one.available))),
    ).toEqual([
      [["1", "2"], ["7"]],
      [["3"], []],
      [[], ["8"]],
    ]);
    expect(feed.current()?.value.spot.map(({ coin: name, available }) => `${name} ${available}`)).toEqual(["USDT 1", "BTC 3"]);
    expect(feed.current()?.value.futures).toMatchObject([{ category: "USDT-FUTURES", available: "8" }]);
  });
});
