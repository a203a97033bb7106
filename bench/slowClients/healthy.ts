import { setTimeout as pause } from "node:timers/promises";
import { Pool } from "undici";
import { cachedBody, upstreamBody } from "../reads/documents.js";

/** Requests that are answered from the cache, and requests that need a call to the exchange. */
export const KINDS = { cache: cachedBody, exchange: upstreamBody } as const;
export type Kind = keyof typeof KINDS;

export interface Timing {
  readonly kind: Kind;
  readonly startedAt: number;
  readonly ms: number;
}

/** Well-behaved clients: a constant rate of requests of each kind, over keep-alive connections. */
export class Healthy {
  readonly #pool: Pool;
  #turn = 0;

  constructor(
    gateway: string,
    private readonly perSecond: number,
  ) {
    this.#pool = new Pool(new URL(gateway).origin, { connections: 16 });
  }

  /** Sends requests until `stop` is settled, and returns the timing of each. */
  async until(stop: Promise<unknown>): Promise<readonly Timing[]> {
    let isOver = false;
    void stop.then(() => {
      isOver = true;
    });
    const running: Promise<Timing>[] = [];
    const began = performance.now();
    for (let at = 0; !isOver; at++) {
      const wait = began + (at * 1_000) / this.perSecond - performance.now();
      if (wait > 0) await pause(wait);
      running.push(this.#ask("cache"), this.#ask("exchange"));
    }
    return Promise.all(running);
  }

  for(ms: number): Promise<readonly Timing[]> {
    return this.until(pause(ms));
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #ask(kind: Kind): Promise<Timing> {
    const startedAt = performance.now();
    const { statusCode, body } = await this.#pool.request({
      method: "POST",
      path: "/graphql",
      headers: { "content-type": "application/json" },
      body: KINDS[kind](this.#turn++),
    });
    const text = await body.text();
    if (statusCode !== 200 || text.includes('"errors"')) throw new Error(`HTTP ${statusCode}: ${text.slice(0, 200)}`);
    return { kind, startedAt, ms: performance.now() - startedAt };
  }
}
