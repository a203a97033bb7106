import { z } from "zod";

type Send = (url: string, init: RequestInit) => Promise<Response>;

const accounts = z.object({ data: z.object({ accounts: z.array(z.unknown()) }) });
const accepted = z.object({ data: z.object({ placeOrder: z.object({ outcome: z.literal("ACCEPTED") }) }) });
const PLACE = "mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { outcome } }";

/** Clients that send queries and orders one after the other until stopped. */
export class Traffic {
  /** Unexpected responses, and requests without a response. */
  readonly failures: string[] = [];
  /** Gateways that have answered since the set was cleared, by the common prefix of their request identifiers. */
  readonly answering = new Set<string>();
  /** Number of accepted orders. */
  placed = 0;
  #isOver = false;
  #ended: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly url: string,
    private readonly send: Send,
  ) {}

  start(): void {
    this.#ended = Promise.all([this.#read(), this.#read(), this.#write()]);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#ended;
  }

  async #read(): Promise<void> {
    while (!this.#isOver) {
      await this.#ask({ query: "{ accounts { name } }" }, accounts);
      await pause(100);
    }
  }

  async #write(): Promise<void> {
    while (!this.#isOver) {
      const side = this.placed % 2 === 0 ? { side: "BUY", quoteQty: "50" } : { side: "SELL", qty: "0.0005" };
      const order = { account: "main", category: "SPOT", symbol: "BTCUSDT", orderType: "MARKET", ...side };
      const input = { ...order, clientOid: `upgrade-${this.placed}` };
      if (await this.#ask({ query: PLACE, variables: { input } }, accepted)) this.placed++;
      // An account may place 10 orders a second.
      await pause(150);
    }
  }

  async #ask(body: unknown, answer: z.ZodType): Promise<boolean> {
    const text = await this.#query(body).then(JSON.stringify, String);
    const isRight = answer.safeParse(text.startsWith("{") ? JSON.parse(text) : text).success;
    if (!isRight) this.failures.push(text);
    return isRight;
  }

  async #query(body: unknown): Promise<object> {
    const headers = { "content-type": "application/json" };
    const response = await this.send(`${this.url}/graphql`, { method: "POST", headers, body: JSON.stringify(body) });
    this.answering.add(response.headers.get("x-request-id")?.replace(/-[^-]*$/, "") ?? "");
    return z.looseObject({}).parse(await response.json());
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
