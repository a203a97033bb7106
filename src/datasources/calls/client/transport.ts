import type { Clock } from "@exchange-graph/contract/clock";
import { type Dispatcher, Pool } from "undici";

export interface WireRequest {
  readonly method: "GET" | "POST";
  /** Path and query as signed. */
  readonly target: string;
  /** Names and values in turns. */
  readonly headers: string[];
  readonly body: string | undefined;
  /** Local clock, Unix ms: the call ends then. */
  readonly deadlineAt: number;
}

/** An answer with any status. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** UTF-8 text, possibly compressed. */
  readonly body: Buffer;
}

/**
 * The call ended without a complete answer. `unreached` is true only if the exchange certainly did not get the request: no byte
 * of it was written. Otherwise the request may have taken effect, whatever the error: established connections fail with the same
 * codes as those that could not be opened.
 */
export class TransportFailure extends Error {
  override readonly name = "TransportFailure";

  constructor(
    readonly kind: "timeout" | "broken",
    readonly unreached: boolean,
    options?: ErrorOptions,
  ) {
    super(kind === "timeout" ? "no answer before the deadline" : "the connection broke", options);
  }
}

/** Maximum size of an answer; the exchange's are smaller. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024;

export interface ExchangeTransport {
  /** Sends a request once and resolves to the complete answer, with any status. Throws `TransportFailure`. */
  send(request: WireRequest): Promise<WireAnswer>;
  /** Ends all running calls. */
  close(): Promise<void>;
}

/** A pool of connections to one exchange. */
export class Transport implements ExchangeTransport {
  readonly #pool: Pool;
  readonly #base: string;

  constructor(
    baseUrl: URL,
    private readonly clock: Clock,
    connections: number,
  ) {
    this.#base = baseUrl.pathname.replace(/\/+$/, "");
    this.#pool = new Pool(baseUrl.origin, {
      connections,
      pipelining: 1,
      connect: { timeout: 5_000 },
      keepAliveTimeout: 30_000,
      maxResponseSize: MAX_BODY_BYTES,
      // Each call has its own deadline.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  send({ method, target, headers, body, deadlineAt }: WireRequest): Promise<WireAnswer> {
    return new Promise((resolve, reject) => {
      const call = new Call(resolve, reject);
      call.disarm = this.clock.after(deadlineAt - this.clock.now(), () => call.giveUp());
      this.#pool.dispatch({ method, path: this.#base + target, headers, body: body ?? null }, call);
    });
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}

/** A running call. Answers are collected here, because a stream and an abort signal per call would cost more. */
class Call implements Dispatcher.DispatchHandler {
  readonly #parts: Buffer[] = [];
  disarm: (() => void) | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #isLate = false;
  #status = 0;
  #headers: WireAnswer["headers"] = {};

  constructor(
    private readonly resolve: (answer: WireAnswer) => void,
    private readonly reject: (failure: TransportFailure) => void,
  ) {}

  /** Called immediately before the request is written. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isLate) controller.abort(new TransportFailure("timeout", true));
  }

  onResponseStart(_controller: unknown, status: number, headers: WireAnswer["headers"]): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: unknown, part: Buffer): void {
    this.#parts.push(part);
  }

  onResponseEnd(): void {
    this.disarm?.();
    const [first = Buffer.alloc(0), ...others] = this.#parts;
    const whole = others.length === 0 ? first : Buffer.concat(this.#parts);
    this.resolve({ status: this.#status, headers: this.#headers, body: whole });
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.disarm?.();
    this.reject(new TransportFailure("broken", this.#isUnwritten, { cause: error }));
  }

  /** A call that still waits for a connection is dropped when its turn comes. */
  giveUp(): void {
    this.#isLate = true;
    const failure = new TransportFailure("timeout", this.#isUnwritten);
    this.reject(failure);
    this.#controller?.abort(failure);
  }

  /** Requests are written only after `onRequestStart`. */
  get #isUnwritten(): boolean {
    return this.#controller === undefined;
  }
}
