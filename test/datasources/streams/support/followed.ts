import type { Argument, Push } from "@exchange-graph/contract/channels/channel";
import { ManualClock } from "@exchange-graph/contract/clock";
import type { Fault } from "../../../../src/datasources/errors/fault.js";
import type { TopicHandle, TopicSink } from "../../../../src/datasources/streams/upstream/link.js";
import { TIMINGS, type Timings } from "../../../../src/datasources/streams/upstream/timings.js";
import { UpstreamConnections } from "../../../../src/datasources/streams/upstream/upstreamConnections.js";
import { openWebSocket } from "../../../../src/datasources/streams/upstream/wire.js";
import { listen } from "../../../../src/instrumentation/instrumentation.js";
import { settled } from "../../../support/eventually.js";
import { accountNamed } from "../../../support/exchangeOver.js";
import { type ScriptedSockets, scriptedSockets } from "../../../support/scriptedSockets.js";
import { ownInstrumentation } from "../../../support/searchedTelemetry.js";

/** 1 January 2026. */
export const START = 1_767_225_600_000;

/** A sink that writes down what it hears. */
export class Followed implements TopicSink {
  readonly pushes: Push[] = [];
  readonly sources = new Set<object>();
  readonly said: string[] = [];
  fault: Fault | undefined;
  handle: TopicHandle | undefined;

  /** What it was told, except that pushes are overdue. */
  get changes(): readonly string[] {
    return this.said.filter((word) => word !== "stalled" && word !== "caught up");
  }

  push(push: Push, source: object): void {
    this.pushes.push(push);
    this.sources.add(source);
  }

  up(): void {
    this.said.push("up");
  }

  down(): void {
    this.said.push("down");
  }

  stalled(isStalled: boolean): void {
    this.said.push(isStalled ? "stalled" : "caught up");
  }

  failed(fault: Fault): void {
    this.said.push("failed");
    this.fault = fault;
  }
}

/** Connections to a scripted exchange, on a clock that is moved by hand. */
export interface Rig {
  readonly clock: ManualClock;
  readonly exchange: ScriptedSockets;
  readonly connections: UpstreamConnections;
  readonly ends: string[];
  /** Cause of each end. */
  readonly causes: (Error | undefined)[];
  readonly unreadable: { readonly channel: string | undefined; readonly error: unknown }[];
  /** Channels of pushes without a subscription. */
  readonly unplaced: readonly string[];
  follow(argument: Argument, account?: string): Followed;
  /** Moves time on in small steps, and lets what is sent on the way arrive. */
  pass(ms: number, step?: number): Promise<void>;
  close(): Promise<void>;
}

export async function rig(timings: Partial<Timings> = {}): Promise<Rig> {
  const clock = new ManualClock(START);
  const exchange = await scriptedSockets(() => clock.now());
  const ends: string[] = [];
  const causes: (Error | undefined)[] = [];
  const unreadable: Rig["unreadable"] = [];
  const unplaced: string[] = [];
  const instrumentation = ownInstrumentation();
  listen(instrumentation, instrumentation.disconnect, ({ end, cause }) => {
    ends.push(end);
    causes.push(cause);
  });
  listen(instrumentation, instrumentation.unread, ({ source, error }) => unreadable.push({ channel: source, error }));
  listen(instrumentation, instrumentation.unplacedPush, ({ channel }) => {
    if (channel === undefined) unreadable.push({ channel: undefined, error: undefined });
    else unplaced.push(channel);
  });
  const connections = new UpstreamConnections({
    wsUrl: exchange.url,
    openWire: openWebSocket,
    clock,
    exchangeNow: () => clock.now() + 7_000,
    random: () => 0.5,
    timings: { ...TIMINGS, ...timings },
    instrumentation,
  });
  return {
    clock,
    exchange,
    connections,
    ends,
    causes,
    unreadable,
    unplaced,
    follow(argument, account) {
      const sink = new Followed();
      const apiVersion = argument.topic === undefined ? "v2" : "v3";
      sink.handle = connections.follow(
        {
          socket: { apiVersion, access: account === undefined ? "public" : "private" },
          argument,
          account: account === undefined ? undefined : accountNamed(account),
        },
        sink,
      );
      return sink;
    },
    async pass(ms, step = 50) {
      for (let passed = 0; passed < ms; passed += step) {
        await settled(4);
        clock.advance(Math.min(step, ms - passed));
      }
      await settled(4);
    },
    async close() {
      connections.close();
      await exchange.close();
    },
  };
}
