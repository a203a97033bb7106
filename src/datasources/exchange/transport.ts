import type { Clock } from "@exchange-graph/contract/clock";
import { type Dispatcher, errors, Pool } from "undici";

/** One HTTP exchange, exactly as it goes out. */
interface WireRequest {
  readonly method: "GET" | "POST";
  /** Path and query as signed. */
  readonly target: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
  /** Our clock, Unix ms: past this the call is given up. */
  readonly deadlineAt: number;
}

/** An answer as it came, whatever its status. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** UTF-8 text, or what it was compressed to. */
  readonly body: Buffer;
}

/**
 * The call ended without a whole answer. `unreached` is true only when it is certain that the exchange never saw the
 * request: no byte of it was written. In every other case the request may have had its effect, whatever the error says:
 * an established connection fails with the codes of one that could not be opened.
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

/** An answer longer than this is not one of the exchange's. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** Keeps a pool of connections to one exchange and sends requests over it. */
export class Transport {
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
    });
  }

  /** Sends and waits for the whole answer. Throws `TransportFailure`. */
  send({ method, target, headers, body, deadlineAt }: WireRequest): Promise<WireAnswer> {
    return new Promise((resolve, reject) => {
      const call = new Call(resolve, reject, (giveUp) => this.clock.after(deadlineAt - this.clock.now(), giveUp));
      this.#pool.dispatch({ method, path: this.#base + target, headers, body: body ?? null }, call);
    });
  }

  /** Breaks off whatever is under way. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}

/** One call under way. An answer is wanted whole, so it is collected here, without a stream and a signal of its own. */
class Call implements Dispatcher.DispatchHandler {
  readonly #parts: Buffer[] = [];
  readonly #disarm: () => void;
  #controller: Dispatcher.DispatchController | undefined;
  #isLate = false;
  #status = 0;
  #headers: WireAnswer["headers"] = {};

  constructor(
    private readonly resolve: (answer: WireAnswer) => void,
    private readonly reject: (failure: TransportFailure) => void,
    arm: (giveUp: () => void) => () => void,
  ) {
    this.#disarm = arm(() => this.#giveUp());
  }

  /** The next thing that happens is that the request is written. */
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
    this.#disarm();
    const [first = Buffer.alloc(0), ...others] = this.#parts;
    const whole = others.length === 0 ? first : Buffer.concat(this.#parts);
    this.resolve({ status: this.#status, headers: this.#headers, body: whole });
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#disarm();
    const kind = error instanceof errors.HeadersTimeoutError ? "timeout" : "broken";
    this.reject(new TransportFailure(kind, this.#isUnwritten, { cause: error }));
  }

  /** A call that still waits for a connection is not waited for: it is dropped when its turn comes. */
  #giveUp(): void {
    this.#isLate = true;
    const failure = new TransportFailure("timeout", this.#isUnwritten);
    this.reject(failure);
    this.#controller?.abort(failure);
  }

  /** Requests are written after `onRequestStart` and at no other time. */
  get #isUnwritten(): boolean {
    return this.#controller === undefined;
  }
}
