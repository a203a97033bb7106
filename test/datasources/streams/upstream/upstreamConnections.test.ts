import { type Argument, keyOf } from "@exchange-graph/contract/channels/channel";
import { SOCKET_LIMITS } from "@exchange-graph/contract/channels/limits";
import { HOUR_MS } from "@exchange-graph/contract/clock";
import { loginSignature } from "@exchange-graph/contract/signing";
import { describe, expect, it } from "vitest";
import { TIMINGS } from "../../../../src/datasources/streams/upstream/timings.js";
import { eventually, settled } from "../../../support/eventually.js";
import type { ScriptedConnection } from "../../../support/scriptedSockets.js";
import { startedForEach } from "../../../support/started.js";
import { type Followed, rig, START } from "../support/followed.js";

const ticker = (symbol: string): Argument => ({ instType: "spot", topic: "ticker", symbol });
const BTC = ticker("BTCUSDT");
const ETH = ticker("ETHUSDT");
const ORDERS: Argument = { instType: "UTA", topic: "order" };

describe("connections to the exchange", () => {
  const world = startedForEach(() => rig());
  const first = (): ScriptedConnection => connection(0);
  const connection = (at: number): ScriptedConnection => {
    const found = world.exchange.connections[at];
    if (found === undefined) throw new Error(`no connection ${at}`);
    return found;
  };
  /** Follows public arguments until each is confirmed. */
  const up = async <A extends readonly Argument[]>(...wanted: A) => {
    const sinks = wanted.map((argument) => world.follow(argument));
    await eventually(() => sinks.every(({ said }) => said.length === 1));
    return sinks as unknown as { readonly [at in keyof A]: Followed };
  };
  const isSubscribed = (argument: Argument, at: number) =>
    world.exchange.connections[at]?.subscribed.has(keyOf(argument)) === true;

  describe("subscribing", () => {
    it("delivers each topic its own pushes, over the socket of its API version", async () => {
      const btc = world.follow(BTC);
      const eth = world.follow(ETH);
      const classic = world.follow({ instType: "SPOT", channel: "ticker", instId: "BTCUSDT" });
      await eventually(() => btc.said.length + eth.said.length + classic.said.length === 3);
      expect(world.exchange.connections.map(({ path }) => path)).toEqual(["/v3/ws/public", "/v2/ws/public"]);
      first().push(ETH, [{ lastPrice: "1" }], "snapshot");
      await eventually(() => eth.pushes.length === 1);
      expect(eth.pushes).toMatchObject([{ action: "snapshot", data: [{ lastPrice: "1" }] }]);
      expect(btc.pushes).toEqual([]);
    });

    it("follows over another connection what is followed already, until either is closed", async () => {
      const former = world.follow(ORDERS);
      const next = world.follow(ORDERS);
      await eventually(() => former.said.length + next.said.length === 2);
      for (const at of [0, 1]) connection(at).push(ORDERS, [{ at: `${at}` }], "update");
      await eventually(() => former.pushes.length + next.pushes.length === 2);
      former.handle?.close();
      await world.pass(500);
      expect(isSubscribed(ORDERS, 0)).toBe(false);
      expect(isSubscribed(ORDERS, 1)).toBe(true);
      expect(next.said).toEqual(["up"]);
    });

    it("asks for what gathers in one request", async () => {
      for (let count = 0; count < 10; count++) world.follow(ticker(`S${count}`));
      await eventually(() => world.exchange.connections[0]?.subscribed.size === 10);
      expect(
        first()
          .requests("subscribe")
          .map(({ args }) => args.length),
      ).toEqual([10]);
    });

    it("refuses one argument without harm to the others", async () => {
      world.exchange.verdict = ({ symbol }) => (symbol === "NOSUCH" ? { code: 30001 } : "ack");
      const [btc, bad] = [world.follow(BTC), world.follow(ticker("NOSUCH"))];
      await eventually(() => bad.fault !== undefined && btc.said.length === 1);
      expect(bad.fault).toMatchObject({ code: "EXCHANGE_REJECTED", extensions: { exchange: { code: "30001" } } });
      expect(btc.said).toEqual(["up"]);
    });

    it("finds the argument that a nameless refusal means by asking for each alone", async () => {
      world.exchange.verdict = ({ symbol }) => (symbol === "NOSUCH" ? { namelessCode: 30016 } : "ack");
      const [btc, eth, bad] = [world.follow(BTC), world.follow(ETH), world.follow(ticker("NOSUCH"))];
      await eventually(() => btc.said.length === 1 && eth.said.length === 1);
      await world.pass(10_500);
      expect(bad.fault).toMatchObject({ extensions: { exchange: { code: "30016" } } });
    });

    it("gives an argument up that is not answered twice", async () => {
      world.exchange.verdict = ({ symbol }) => (symbol === "BTCUSDT" ? "silence" : "ack");
      const [btc, eth] = [world.follow(BTC), world.follow(ETH)];
      await eventually(() => eth.said.length === 1);
      await world.pass(21_000, 500);
      expect(btc.fault?.code).toBe("EXCHANGE_TIMEOUT");
      expect(eth.said).toEqual(["up"]);
    });

    it("counts a topic that is pushed as confirmed, so that it goes down with its connection", async () => {
      world.exchange.verdict = ({ symbol }) => (symbol === "BTCUSDT" ? "silence" : "ack");
      const [btc, eth] = [world.follow(BTC), world.follow(ETH)];
      await eventually(() => eth.said.length === 1);
      first().push(BTC, [{ lastPrice: "1" }], "snapshot");
      await eventually(() => btc.pushes.length === 1);
      expect(btc.said).toEqual(["up"]);
      first().drop();
      await eventually(() => eth.said.length === 2);
      expect(btc.said).toEqual(["up", "down"]);
    });

    it("asks again later when it was too fast", async () => {
      let refusals = 2;
      world.exchange.verdict = () => (refusals-- > 0 ? { code: 30006 } : "ack");
      const btc = world.follow(BTC);
      await world.pass(5_000);
      expect(btc.said).toEqual(["up"]);
    });

    it("starts a renewed topic from its first state again", async () => {
      const [btc] = await up(BTC);
      world.exchange.onSubscribed = (argument, to) => to.push(argument, [{ lastPrice: "2" }], "snapshot");
      btc.handle?.renew();
      first().push(BTC, [{ lastPrice: "old" }]);
      await world.pass(1_000);
      expect(btc.pushes.map(({ data }) => data)).toEqual([[{ lastPrice: "2" }]]);
      expect(first().requests("unsubscribe")).toHaveLength(1);
    });

    it("reports a topic as overdue whose renewal is not confirmed, until it is", async () => {
      const [btc, eth] = await up(BTC, ETH);
      let isAnswering = false;
      world.exchange.verdict = () => (isAnswering ? "ack" : "silence");
      btc.handle?.renew();
      for (let second = 0; second < 4; second++) {
        first().push(ETH, [{ lastPrice: "1" }], "snapshot");
        await world.pass(1_000);
      }
      expect([btc.said, eth.said]).toEqual([["up", "stalled"], ["up"]]);
      isAnswering = true;
      await world.pass(10_000, 500);
      expect(btc.said).toEqual(["up", "stalled", "caught up"]);
      btc.handle?.renew();
      await world.pass(4_000, 500);
      expect(btc.said).toEqual(["up", "stalled", "caught up"]);
    });

    it("unsubscribes what is closed, and closes the connection that nothing is left on", async () => {
      const [btc, eth] = await up(BTC, ETH);
      btc.handle?.close();
      await world.pass(500);
      expect(isSubscribed(BTC, 0)).toBe(false);
      expect(isSubscribed(ETH, 0)).toBe(true);
      eth.handle?.close();
      await world.pass(6_000, 500);
      await eventually(() => world.exchange.open().length === 0);
      expect(world.connections.states()).toEqual([]);
      expect(world.clock.pending).toBe(0);
    });

    it("spreads topics over connections of fifty", async () => {
      const sinks = Array.from({ length: 120 }, (_, at) => world.follow(ticker(`S${at}`)));
      await world.pass(1_500);
      expect(sinks.every(({ said }) => said.length === 1)).toBe(true);
      expect(world.exchange.connections.map(({ subscribed }) => subscribed.size)).toEqual([50, 50, 20]);
    });
  });

  describe("logging in", () => {
    it("comes before every private subscription, with the exchange's time and the account's keys", async () => {
      const sink = world.follow(ORDERS, "main");
      await eventually(() => sink.said.length === 1);
      const timestamp = String((START + 7_000) / 1_000);
      expect(first().path).toBe("/v3/ws/private");
      expect(first().received.map(({ text }) => JSON.parse(text))).toEqual([
        {
          op: "login",
          args: [{ apiKey: "main-key", passphrase: "mainpass1", timestamp, sign: loginSignature("main-secret", timestamp) }],
        },
        { op: "subscribe", args: [ORDERS] },
      ]);
    });

    it("is done for each account on a separate connection", async () => {
      const sinks = [world.follow(ORDERS, "main"), world.follow(ORDERS, "classic")];
      await eventually(() => sinks.every(({ said }) => said.length === 1));
      const keys = world.exchange.connections.map(({ received }) => JSON.parse(received[0]?.text ?? "").args[0].apiKey);
      expect(keys.sort()).toEqual(["classic-key", "main-key"]);
    });

    it("ends the account's topics when its key is refused, and does not knock again", async () => {
      world.exchange.login = 30011;
      const sink = world.follow(ORDERS, "main");
      await eventually(() => sink.fault !== undefined);
      expect(sink.fault).toMatchObject({ code: "FORBIDDEN", extensions: { exchange: { code: "30011" } } });
      expect(JSON.stringify([sink.fault?.message, sink.fault?.extensions])).not.toContain("main-");
      await world.pass(60_000, 1_000);
      expect(world.exchange.connections).toHaveLength(1);
      expect(world.connections.states()).toEqual([]);
    });

    it("is tried again when the refusal may pass", async () => {
      world.exchange.login = 30014;
      const sink = world.follow(ORDERS, "main");
      await eventually(() => world.ends.length === 1);
      world.exchange.login = "ack";
      await world.pass(1_000);
      await eventually(() => sink.said.length === 1);
      expect(sink.said).toEqual(["up"]);
    });

    it("is repeated when the exchange has lost it", async () => {
      const sink = world.follow(ORDERS, "main");
      await eventually(() => sink.said.length === 1);
      first().send({ event: "error", code: 30004, msg: "User not logged in" });
      await eventually(() => sink.said.length === 2);
      await world.pass(1_000);
      await eventually(() => isSubscribed(ORDERS, 1));
      expect(sink.said).toEqual(["up", "down", "up"]);
    });

    it("without an answer ends at its deadline", async () => {
      world.exchange.login = "silence";
      world.follow(ORDERS, "main");
      await eventually(() => world.exchange.connections[0]?.received.length === 1);
      await world.pass(10_000, 1_000);
      expect(world.ends).toEqual(["login"]);
    });
  });

  describe("staying alive", () => {
    it("takes a text ping every thirty seconds, however much is pushed", async () => {
      await up(BTC);
      for (let second = 0; second < 95; second++) {
        first().push(BTC, [{ lastPrice: "1" }], "snapshot");
        await world.pass(1_000, 1_000);
      }
      const pings = first().received.filter(({ text }) => text === "ping");
      expect(pings.map(({ at }) => Math.round((at - START) / 1_000))).toEqual([30, 60, 90]);
      expect(world.ends).toEqual([]);
    });

    it("notices an open but dead connection and replaces it", async () => {
      const [btc] = await up(BTC);
      first().isSilent = true;
      await world.pass(12_000, 500);
      expect(btc.said).toEqual(["up", "stalled"]);
      await world.pass(1_000);
      expect(world.ends).toEqual(["silent"]);
      await eventually(() => btc.said.length === 4);
      expect(btc.said).toEqual(["up", "stalled", "down", "up"]);
      expect(isSubscribed(BTC, 1)).toBe(true);
    });

    it("reports within three seconds of silence that pushes are overdue, and that all have arrived with the answer to the last ping", async () => {
      const [btc] = await up(BTC);
      first().isSilent = true;
      await world.pass(2_700);
      expect(btc.said).toEqual(["up"]);
      await world.pass(300);
      expect(btc.said).toEqual(["up", "stalled"]);
      await world.pass(6_000, 500);
      const pings = first().received.filter(({ text }) => text === "ping").length;
      first().isSilent = false;
      first().push(BTC, [{ lastPrice: "1" }], "snapshot");
      for (let ponged = 0; ponged < pings; ponged++) {
        await eventually(() => btc.pushes.length === 1);
        expect(btc.said).toEqual(["up", "stalled"]);
        first().send("pong");
      }
      await eventually(() => btc.said.length === 3);
      expect([btc.said, world.ends]).toEqual([["up", "stalled", "caught up"], []]);
    });

    it("has caught up after two seconds of messages where pings are not answered", async () => {
      const [btc] = await up(BTC);
      first().isSilent = true;
      await world.pass(4_000);
      for (let pushed = 0; pushed < 6; pushed++) {
        first().push(BTC, [{ lastPrice: "1" }], "snapshot");
        await eventually(() => btc.pushes.length === pushed + 1);
        await world.pass(500);
      }
      expect(btc.said).toEqual(["up", "stalled", "caught up"]);
    });

    it("notices it within the same time where it has been answering", async () => {
      const [btc] = await up(BTC);
      await world.pass(9_000, 500);
      first().isSilent = true;
      // The last answer was to the ping at 7.5 or 9 seconds.
      await world.pass(10_500, 500);
      expect(world.ends).toEqual([]);
      await world.pass(2_000, 500);
      expect(world.ends).toEqual(["silent"]);
      await world.pass(2_000);
      await eventually(() => btc.changes.length === 3);
      expect(btc.changes).toEqual(["up", "down", "up"]);
    });

    it("notices it when a request is not answered, before the request is given up", async () => {
      const [btc] = await up(BTC);
      first().isSilent = true;
      const eth = world.follow(ETH);
      await world.pass(21_000, 500);
      expect(world.ends).toEqual(["silent"]);
      await eventually(() => eth.changes.length === 1 && btc.changes.length === 3);
      expect([eth.fault, eth.changes, btc.changes]).toEqual([undefined, ["up"], ["up", "down", "up"]]);
    });

    it("asks out of turn whenever nothing has come for one and a half seconds", async () => {
      await up(BTC);
      await world.pass(10_500, 500);
      const pings = first().received.filter(({ text }) => text === "ping");
      expect(pings.map(({ at }) => at - START)).toEqual(
        [1_500, 3_000, 4_500, 6_000, 7_500, 9_000, 10_500].slice(0, pings.length),
      );
      expect(pings.length).toBeGreaterThan(5);
      expect(world.ends).toEqual([]);
    });

    it("comes back after a break with everything that is still wanted", async () => {
      const [btc, eth] = await up(BTC, ETH);
      first().drop();
      await eventually(() => btc.said.length === 2);
      eth.handle?.close();
      await world.pass(600);
      await eventually(() => btc.said.length === 3);
      expect([...connection(1).subscribed.keys()]).toEqual([keyOf(BTC)]);
    });

    it("pauses longer each time that the exchange cannot be reached, and not for ever", async () => {
      world.exchange.isDown = true;
      const btc = world.follow(BTC);
      const pauses: number[] = [];
      for (let round = 0; round < 9; round++) {
        await eventually(() => world.ends.length > round);
        const from = world.clock.now();
        while (world.connections.states().length === 0) world.clock.advance(125);
        pauses.push(world.clock.now() - from);
      }
      // Half of each pause is chance, which is 0.5 here.
      expect(pauses).toEqual([375, 750, 1_500, 3_000, 6_000, 12_000, 22_500, 22_500, 22_500]);
      expect(world.causes[0]).toBeInstanceOf(Error);
      world.exchange.isDown = false;
      await world.pass(30_000, 500);
      await eventually(() => btc.said.length === 1);
    });

    it("comes back at once each time that a working line breaks, and keeps to the exchange's limit all the same", async () => {
      const [btc] = await up(BTC);
      const outages: number[] = [];
      for (let cut = 0; cut < 300; cut++) {
        for (const one of world.exchange.open()) one.drop();
        await eventually(() => btc.said.length === 2 + 2 * cut);
        const from = world.clock.now();
        while (btc.said.length < 3 + 2 * cut) await world.pass(100, 100);
        outages.push(world.clock.now() - from);
      }
      expect(Math.max(...outages.slice(0, 100))).toBeLessThanOrEqual(600);
      expect(Math.max(...outages)).toBeLessThanOrEqual(5_000);
      const opened = world.exchange.connections.map(({ received }) => received[0]?.at ?? 0);
      const { limit, windowMs } = SOCKET_LIMITS.connects;
      for (const at of opened) expect(opened.filter((other) => other >= at && other < at + windowMs).length).toBeLessThan(limit);
    });

    it("counts a line over which nothing is ever confirmed as one that fails", async () => {
      world.exchange.verdict = () => "silence";
      world.follow(BTC);
      for (let round = 0; round < 6; round++) {
        await eventually(() => world.exchange.connections[round]?.received.length === 1);
        connection(round).drop();
        await eventually(() => world.ends.length === round + 1);
        const from = world.clock.now();
        while (world.connections.states().length === 0) world.clock.advance(125);
        expect(world.clock.now() - from).toBe(375 * 2 ** round);
      }
    });

    it("replays two hundred topics after a break below ten messages in any second of any connection", async () => {
      const sinks = Array.from({ length: 200 }, (_, at) => world.follow(ticker(`S${at}`)));
      await world.pass(2_000);
      for (let round = 0; round < 3; round++) {
        for (const one of world.exchange.open()) one.drop();
        await eventually(() => sinks.every(({ said }) => said.length === 2 + 2 * round));
        await world.pass(35_000, 100);
        expect(sinks.every(({ said }) => said.length === 3 + 2 * round)).toBe(true);
      }
      for (const { received } of world.exchange.connections)
        for (const { at } of received)
          expect(received.filter((other) => other.at >= at && other.at < at + 1_000).length).toBeLessThanOrEqual(10);
    });
  });

  describe("a connection that will not last", () => {
    it("is left only when its successor has everything, and nothing is missed or out", async () => {
      const [btc, eth] = await up(BTC, ETH);
      world.exchange.verdict = ({ symbol }) => (symbol === "ETHUSDT" ? "silence" : "ack");
      first().warn();
      await eventually(() => isSubscribed(BTC, 1));
      // The old connection still serves: the new one has not everything yet.
      await world.pass(5_000);
      first().push(BTC, [{ n: 1 }]);
      first().push(ETH, [{ n: 2 }]);
      await eventually(() => eth.pushes.length === 1 && btc.pushes.length === 1);
      world.exchange.verdict = () => "ack";
      await world.pass(6_000);
      expect(isSubscribed(ETH, 1)).toBe(true);
      // What was still under way on the old connection arrives during the overlap.
      first().push(BTC, [{ n: 3 }]);
      connection(1).push(BTC, [{ n: 4 }]);
      await eventually(() => btc.pushes.length === 3);
      expect(btc.sources.size).toBe(2);
      await world.pass(4_000);
      await eventually(() => !first().isOpen);
      connection(1).push(ETH, [{ n: 5 }]);
      await eventually(() => eth.pushes.length === 2);
      expect(btc.said).toEqual(["up"]);
      expect(eth.said).toEqual(["up"]);
      expect(world.ends).toEqual([]);
    });

    it("is followed by its successor also when it goes before that has everything", async () => {
      const [btc] = await up(BTC);
      world.exchange.verdict = () => "silence";
      first().warn();
      await eventually(() => world.exchange.connections[1]?.received.length === 1);
      first().drop();
      await eventually(() => btc.said.length === 2);
      world.exchange.verdict = () => "ack";
      await world.pass(11_000, 500);
      expect(btc.said).toEqual(["up", "down", "up"]);
      expect(world.exchange.connections).toHaveLength(2);
    });

    it.each(["falls silent", "breaks"])(
      "reports an interruption of account topics if it %s meanwhile, because its last messages are lost",
      async (how) => {
        const [orders, btc] = [world.follow(ORDERS, "main"), world.follow(BTC)];
        await eventually(() => orders.said.length + btc.said.length === 2);
        const formers = [...world.exchange.connections];
        for (const former of formers) {
          former.warn();
          if (how === "falls silent") former.isSilent = true;
        }
        await eventually(() => isSubscribed(ORDERS, 2) !== isSubscribed(ORDERS, 3));
        await world.pass(1_000, 500);
        if (how === "breaks") for (const former of formers) former.drop();
        await world.pass(3_000, 500);
        await eventually(() => formers.every(({ isOpen }) => !isOpen));
        expect([orders.changes, btc.changes]).toEqual([["up", "down", "up"], ["up"]]);
      },
    );

    it("goes on serving while its successor's login is refused", async () => {
      const sink = world.follow(ORDERS, "main");
      await eventually(() => sink.said.length === 1);
      world.exchange.login = 30005;
      first().warn();
      await eventually(() => world.ends.length === 1);
      expect(world.ends).toEqual(["refused"]);
      first().push(ORDERS, [{ n: 1 }], "snapshot");
      await eventually(() => sink.pushes.length === 1);
      world.exchange.login = "ack";
      await world.pass(1_000);
      await eventually(() => isSubscribed(ORDERS, 2));
      expect(sink.said).toEqual(["up"]);
    });

    it("is replaced before the exchange's own limit of a day, and then again", async () => {
      expect(TIMINGS.retireMs + TIMINGS.retireSpreadMs).toBeLessThanOrEqual(SOCKET_LIMITS.lifetimeMs - HOUR_MS);
      const shorter = await rig({ retireMs: HOUR_MS, retireSpreadMs: HOUR_MS / 2 });
      const { connections } = shorter.exchange;
      const btc = shorter.follow(BTC);
      await eventually(() => btc.said.length === 1);
      for (const at of [1, 2]) {
        await shorter.pass(1.5 * HOUR_MS, 10_000);
        await eventually(() => connections[at]?.subscribed.has(keyOf(BTC)) === true);
        await shorter.pass(5_000);
        await eventually(() => connections[at - 1]?.isOpen === false);
        expect([btc.changes, shorter.ends]).toEqual([["up"], []]);
      }
      await shorter.close();
    });

    it("is replaced when its requests of the hour are spent", async () => {
      const [btc] = await up(BTC);
      for (let round = 0; round < 250; round++) {
        const sink = world.follow(ticker(`S${round}`));
        await world.pass(400, 200);
        sink.handle?.close();
      }
      await world.pass(5_000);
      const asked = world.exchange.connections.map((one) => one.requests("subscribe").flatMap(({ args }) => args).length);
      expect(asked).toHaveLength(2);
      for (const count of asked) expect(count).toBeLessThanOrEqual(240);
      expect(btc.said).toEqual(["up"]);
    });
  });

  it("count frames that mean nothing, and go on", async () => {
    const [btc] = await up(BTC);
    first().send("{oops");
    first().push(ETH, [{ nobody: "asked" }]);
    first().push(BTC, [{ lastPrice: "1" }]);
    await eventually(() => btc.pushes.length === 1);
    expect(world.unreadable).toHaveLength(1);
  });

  it("end all at once when they are closed, with no word to the topics and no timer left", async () => {
    const sinks = [world.follow(BTC), world.follow(ORDERS, "main")];
    await eventually(() => sinks.every(({ said }) => said.length === 1));
    world.connections.close();
    await eventually(() => world.exchange.open().length === 0);
    await settled();
    expect(sinks.map(({ said }) => said)).toEqual([["up"], ["up"]]);
    expect(world.connections.states()).toEqual([]);
    expect(world.clock.pending).toBe(0);
  });
});
