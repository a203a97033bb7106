import { ManualClock } from "@exchange-graph/contract/clock";

/** Answers that never are one: the connection is refused, it breaks, or nothing comes. */
export const LOST = { refused: "refused", torn: "torn", silent: "silent" } as const;

interface Body {
  readonly query?: string;
  readonly documentId?: string;
  readonly variables: { readonly input: { readonly idempotencyKey?: string } };
  readonly extensions?: unknown;
}
type Scripted = (typeof LOST)[keyof typeof LOST] | { readonly status: number; readonly body: string } | object;

/** A network that answers by script, and what was sent over it. */
export class ScriptedNetwork {
  readonly clock = new ManualClock(0);
  readonly bodies: Body[] = [];
  readonly headers: Headers[] = [];
  readonly #script: Scripted[];

  constructor(...script: Scripted[]) {
    this.#script = script;
  }

  /** What comes next. */
  answerWith(...script: Scripted[]): void {
    this.#script.splice(0, this.#script.length, ...script);
  }

  readonly fetch: typeof fetch = async (_url, { body, headers, signal } = {}) => {
    this.bodies.push(JSON.parse(String(body)));
    this.headers.push(new Headers(headers));
    const next = this.#script.shift();
    if (next === undefined) throw new Error("the script has no answer left");
    if (next === LOST.refused) throw new TypeError("fetch failed");
    if (next === LOST.silent) return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    if (next === LOST.torn) return new Response(new ReadableStream({ pull: (body) => body.error(new Error("reset")) }));
    if (typeof next === "object" && "status" in next && "body" in next)
      return new Response(String(next.body), { status: Number.parseInt(String(next.status), 10) });
    return Response.json(next);
  };

  /** Lets time pass until something has come. */
  async while<T>(waiting: Promise<T>): Promise<T> {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    waiting.then(end, end);
    for (;;) {
      await turn();
      if (isOver) return waiting;
      this.clock.advance(50);
    }
  }
}

/** One turn of the event loop. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A typed document as graphql-codegen prints it with `documentMode: string`. */
export class TypedText<Data, Variables> extends String {
  readonly __apiType?: (variables: Variables) => Data;

  constructor(
    text: string,
    readonly __meta__?: Readonly<Record<string, unknown>>,
  ) {
    super(text);
  }
}
