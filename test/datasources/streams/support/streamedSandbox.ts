import { ManualClock } from "@exchange-graph/contract/clock";
import { SANDBOX_CREDENTIALS, type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import type { Credential } from "@exchange-graph/sandbox/credentials";
import type { ExchangeAccount } from "../../../../src/datasources/calls/accounts/exchangeAccount.js";
import type { Fault } from "../../../../src/datasources/errors/fault.js";
import type { DataSource } from "../../../../src/datasources/index.js";
import { createStreams, type Listener, type StreamEvent, type Streams } from "../../../../src/datasources/streams/index.js";
import type { LivePolicy } from "../../../../src/datasources/streams/live/keeper.js";
import type { ApiVersion } from "../../../../src/datasources/streams/marketTopics.js";
import type { Timings } from "../../../../src/datasources/streams/upstream/timings.js";
import { type Instrumentation, listen } from "../../../../src/instrumentation/instrumentation.js";
import { settled } from "../../../support/eventually.js";
import { accountIn, exchangeOver, sandboxAccount } from "../../../support/exchangeOver.js";
import { type FrameProxy, frameProxy } from "../../../support/frameProxy.js";
import { failOn, ownInstrumentation } from "../../../support/searchedTelemetry.js";
import { START } from "./followed.js";

/** A listener that writes down what it hears. */
export class Heard<T> implements Listener<T> {
  readonly events: StreamEvent<T>[] = [];
  fault: Fault | undefined;

  next(event: StreamEvent<T>): void {
    this.events.push(event);
  }

  failed(fault: Fault): void {
    this.fault = fault;
  }

  get last(): StreamEvent<T> {
    const last = this.events.at(-1);
    if (last === undefined) throw new Error("nothing was heard");
    return last;
  }
}

/** Streams over a sandbox, both on one clock that is moved by hand. */
export interface StreamedSandbox {
  readonly clock: ManualClock;
  readonly sandbox: Sandbox;
  readonly exchange: DataSource;
  readonly streams: Streams;
  readonly instrumentation: Instrumentation;
  readonly ends: string[];
  readonly unreadable: unknown[];
  /** The line to the exchange's sockets, where one was asked for. */
  readonly line: FrameProxy | undefined;
  account(name: "main" | "classic"): ExchangeAccount;
  /** Moves time on, and lets what is sent on the way arrive. */
  pass(ms: number, step?: number): Promise<void>;
  /** Lets time pass until something holds. */
  until(holds: () => boolean, withinMs?: number): Promise<void>;
  close(): Promise<void>;
}

export async function streamedSandbox(
  apiVersion: ApiVersion = "v3",
  timings: Partial<Timings> = {},
  start = START,
  keys: readonly Credential[] = SANDBOX_CREDENTIALS,
  hasPast = false,
  live: LivePolicy = "none",
  hasLine = false,
  names: readonly string[] = ["main", "classic"],
  marketMs = 200,
): Promise<StreamedSandbox> {
  const clock = new ManualClock(start);
  const sandbox = await startSandbox({ signedQuery: "decoded", clock, hasPast, credentials: keys, marketMs });
  const accounts = names.map((name, at): ExchangeAccount => {
    const credential = SANDBOX_CREDENTIALS[at];
    if (credential === undefined) throw new Error(`no credential for ${name}`);
    return sandboxAccount(name, credential);
  });
  const instrumentation = ownInstrumentation();
  const exchange = exchangeOver(new URL(sandbox.url), { clock, accounts, instrumentation, deadlineMs: 30_000 });
  const ends: string[] = [];
  const unreadable: unknown[] = [];
  listen(instrumentation, instrumentation.disconnect, ({ end }) => ends.push(end));
  listen(instrumentation, instrumentation.unread, ({ source, error }) => unreadable.push(`${source}: ${String(error)}`));
  listen(instrumentation, instrumentation.unplacedPush, ({ channel }) =>
    unreadable.push(channel === undefined ? "a frame" : `${channel}: unplaced`),
  );
  failOn(instrumentation.failure);
  const line = hasLine ? await frameProxy(new URL(sandbox.wsUrl)) : undefined;
  const streams = createStreams({
    exchange,
    wsUrl: line?.url ?? new URL(sandbox.wsUrl),
    publicApiVersion: apiVersion,
    live,
    clock,
    random: () => 0.5,
    timings,
    instrumentation,
  });
  const world: StreamedSandbox = {
    clock,
    sandbox,
    exchange,
    streams,
    instrumentation,
    ends,
    unreadable,
    line,
    account: (name) => accountIn(exchange, name),
    async pass(ms, step = 50) {
      for (let passed = 0; passed < ms; passed += step) {
        await settled(5);
        clock.advance(Math.min(step, ms - passed));
      }
      await settled(5);
    },
    async until(holds, withinMs = 60_000) {
      for (let passed = 0; !holds(); passed += 50) {
        if (passed > withinMs) throw new Error(`it did not come to hold: ${holds.toString()}`);
        await world.pass(50);
      }
    },
    async close() {
      await streams.close();
      await exchange.close();
      await line?.close();
      await sandbox.close();
    },
  };
  return world;
}
