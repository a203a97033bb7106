import { endpoints } from "@exchange-graph/contract";
import { HEADERS } from "@exchange-graph/contract/headers";
import type { SandboxInMemory } from "@exchange-graph/sandbox";
import type { Answer, Received } from "@exchange-graph/sandbox/http/answer";
import {
  type ExchangeTransport,
  TransportFailure,
  type WireAnswer,
  type WireRequest,
} from "../../src/datasources/calls/client/transport.js";
import { type Random, streamOf, unit } from "./random.js";
import type { ProcessClock, VirtualTime } from "./time.js";

/** Probabilities of what can happen to a call, and the longest delay (ms) of one that is late. */
export interface LineFaults {
  /** It is never received. */
  readonly reset: number;
  /** It takes effect, and its answer is lost. */
  readonly lost: number;
  /** It takes effect, and a proxy answers with HTTP 502. */
  readonly badGateway: number;
  /** HTTP 503 instead of an effect. */
  readonly unavailable: number;
  /** HTTP 429 instead of an effect. */
  readonly throttled: number;
  /** It takes effect, and its answer is cut off. */
  readonly truncated: number;
  /** A proxy sends it again, once it has taken effect, and passes on the answer to the copy. */
  readonly doubled: number;
  /** It arrives, or its answer, up to `delayMs` late. */
  readonly late: number;
  readonly delayMs: number;
}

export const NO_FAULTS: LineFaults = {
  reset: 0,
  unavailable: 0,
  lost: 0,
  badGateway: 0,
  throttled: 0,
  truncated: 0,
  doubled: 0,
  late: 0,
  delayMs: 0,
};

/** A call as an observer of the line sees it. */
export interface Call {
  readonly id: number;
  readonly gateway: string;
  /** The contract's name of the endpoint; undefined for an unknown one. */
  readonly endpoint: string | undefined;
  readonly isWrite: boolean;
  readonly key: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
  /** The time that it is signed for, Unix ms by the exchange's clock; NaN if it is not signed. */
  readonly signedAt: number;
  /** World time at which it left the gateway, and at which it was received; Unix ms. */
  readonly leftAt: number;
  arrivedAt: number;
  /** Whether the gateway has stopped waiting for its answer. */
  isGivenUp: boolean;
  /** Whether it is a proxy's copy that arrives. */
  isCopied: boolean;
}

/** Observes the line. */
export interface LineObserver {
  left(call: Call): void;
  /** Everything that the exchange does until `answered` is an effect of this call. */
  arrived(call: Call): void;
  answered(call: Call, answer: Answer): void;
  /** Whether the exchange will tell a copy of this call, which it has just executed, from another call. Called after `answered`. */
  isTold(call: Call): boolean;
  /** The gateway has this answer, in time and whole. */
  received(call: Call, answer: Answer): void;
}

const PATHS = new Map(endpoints.map(({ method, path, name }) => [`${method} ${path}`, name]));
const OUT_MS = 4;
const BACK_MS = 4;
/** A proxy that has lost its connection sends a request again within this time, ms. */
const AGAIN_MS = 40;

type Fate = "delivered" | Exclude<keyof LineFaults, "delayMs" | "late">;

/** The network between gateways and the exchange. */
export class Network {
  /** In force for calls that leave from now on. */
  faults: LineFaults = NO_FAULTS;
  #calls = 0;
  readonly #counts = new Map<string, number>();

  constructor(
    private readonly time: VirtualTime,
    private readonly exchange: SandboxInMemory,
    private readonly seed: number,
    private readonly observer: LineObserver,
  ) {}

  /** The line of one process. */
  line(gateway: string, address: string, clock: ProcessClock): ExchangeTransport {
    return {
      send: (request) => this.#send(gateway, address, clock, request),
      close: async () => undefined,
    };
  }

  #send(gateway: string, address: string, clock: ProcessClock, request: WireRequest): Promise<WireAnswer> {
    return new Promise((resolve, reject) => {
      if (!clock.isAlive) return;
      const received = receivedFrom(request, address);
      const call: Call = {
        id: ++this.#calls,
        gateway,
        endpoint: PATHS.get(`${request.method} ${received.path}`),
        isWrite: request.method === "POST",
        key: received.header("ACCESS-KEY"),
        body: request.body === undefined ? {} : JSON.parse(request.body),
        signedAt: Number.parseInt(received.header(HEADERS.timestamp) ?? "", 10),
        leftAt: this.time.now,
        arrivedAt: Number.NaN,
        isGivenUp: false,
        isCopied: false,
      };
      const random = this.#drawsOf(`${gateway} ${request.method} ${request.target} ${request.body ?? ""}`);
      const fate = this.#fate(random);
      const [outMs, backMs] = this.#delays(random);
      const disarm = clock.after(request.deadlineAt - clock.now(), () => {
        call.isGivenUp = true;
        reject(new TransportFailure("timeout", false));
      });
      const later = (delayMs: number, task: () => void) =>
        this.time.at(`line of ${gateway}`, this.time.now + delayMs, () => clock.arrive(task));
      const fail = () =>
        later(backMs, () => {
          disarm();
          reject(new TransportFailure("broken", false));
        });
      const reply = (answer: Answer, isWhole = false) =>
        later(backMs, () => {
          disarm();
          if (isWhole && !call.isGivenUp) this.observer.received(call, answer);
          resolve(wireAnswerOf(answer));
        });
      this.observer.left(call);
      if (fate === "reset") {
        fail();
        return;
      }
      this.time.at(`line of ${gateway}`, this.time.now + outMs, () => {
        if (fate === "throttled") {
          reply({ status: 429, code: "429", body: '{"code":"429","msg":"Too Many Requests","requestTime":0,"data":null}' });
          return;
        }
        if (fate === "unavailable") {
          reply({ status: 503, code: "", body: "<html>Service Unavailable</html>" });
          return;
        }
        const answer = this.#execute(call, received);
        if (fate === "doubled" && this.observer.isTold(call))
          this.time.at(`line of ${gateway}`, this.time.now + random.between(0, AGAIN_MS), () => {
            call.isCopied = true;
            reply(this.#execute(call, received), true);
          });
        else if (fate === "lost") fail();
        else if (fate === "badGateway") reply({ status: 502, code: "", body: "<html>Bad Gateway</html>" });
        else if (fate === "truncated") reply({ ...answer, body: answer.body.slice(0, answer.body.length >> 1) });
        else reply(answer, true);
      });
    });
  }

  #execute(call: Call, received: Received): Answer {
    this.exchange.world.advance();
    call.arrivedAt = this.time.now;
    this.observer.arrived(call);
    const answer = this.exchange.answer(received);
    this.observer.answered(call, answer);
    return answer;
  }

  /** Each call has draws of its own, by what it is: a call more or less moves no other's. */
  #drawsOf(call: string): Random {
    const count = this.#counts.get(call) ?? 0;
    this.#counts.set(call, count + 1);
    return streamOf(this.seed, `network ${call} ${count}`);
  }

  #fate(random: Random): Fate {
    const { reset, unavailable, lost, badGateway, throttled, truncated, doubled } = this.faults;
    let drawn = unit(random.next());
    for (const [fate, probability] of Object.entries({ reset, unavailable, lost, badGateway, throttled, truncated, doubled })) {
      if (drawn < probability) return fate as Fate;
      drawn -= probability;
    }
    return "delivered";
  }

  #delays(random: Random): readonly [outMs: number, backMs: number] {
    const { late, delayMs } = this.faults;
    const isLate = unit(random.next()) < late;
    const isOut = random.oneIn(2);
    const delay = Math.floor(unit(random.next()) * delayMs);
    const [out, back] = [random.between(1, OUT_MS), random.between(1, BACK_MS)];
    return isLate ? (isOut ? [out + delay, back] : [out, back + delay]) : [out, back];
  }
}

function receivedFrom({ method, target, headers, body = "" }: WireRequest, address: string): Received {
  const mark = target.indexOf("?");
  const named = new Map<string, string>();
  for (let at = 0; at + 1 < headers.length; at += 2) named.set((headers[at] ?? "").toLowerCase(), headers[at + 1] ?? "");
  return {
    method,
    target,
    path: mark === -1 ? target : target.slice(0, mark),
    query: mark === -1 ? "" : target.slice(mark + 1),
    body,
    address,
    header: (name) => named.get(name.toLowerCase()),
  };
}

const wireAnswerOf = ({ status, body, remaining }: Answer): WireAnswer => ({
  status,
  headers: remaining === undefined ? {} : { [HEADERS.remaining]: String(remaining) },
  body: Buffer.from(body),
});
