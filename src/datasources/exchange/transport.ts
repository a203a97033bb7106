import { errors, Pool } from "undici";
import type { Clock } from "../../clock.js";

/** One HTTP exchange, exactly as it goes out. */
export interface WireRequest {
  readonly method: "GET" | "POST";
  /** Path and query as signed. */
  readonly target: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  /** Our clock, Unix ms: past this the call is given up. */
  readonly deadlineAt: number;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/**
 * The call ended without a whole answer. `unreached` is true only when it is certain that the exchange never saw the
 * request (the connection could not be opened); in every other case the request may have had its effect.
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
const MAX_BODY_BYTES = 16 * 1024 * 1024;

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
  async send(request: WireRequest): Promise<WireAnswer> {
    const abort = new AbortController();
    const cancel = this.clock.after(request.deadlineAt - this.clock.now(), () => abort.abort());
    try {
      const answer = await this.#pool.request({
        method: request.method,
        path: this.#base + request.target,
        headers: request.headers,
        body: request.body ?? null,
        signal: abort.signal,
      });
      return { status: answer.statusCode, headers: answer.headers, body: await answer.body.text() };
    } catch (error) {
      if (abort.signal.aborted) throw new TransportFailure("timeout", false, { cause: error });
      throw new TransportFailure(error instanceof errors.HeadersTimeoutError ? "timeout" : "broken", neverSent(error), {
        cause: error,
      });
    } finally {
      cancel();
    }
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }
}

const CONNECT_FAILURES = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

const neverSent = (error: unknown): boolean =>
  error instanceof Error && "code" in error && typeof error.code === "string" && CONNECT_FAILURES.has(error.code);
