import type { Client } from "@exchange-graph/client";
import { z } from "zod";

const FIELDS = "execId orderId";
const PUSHED = `subscription { fills { fills { ${FIELDS} } } }`;
const SINCE = `query ($from: DateTime) { account { fills(category: SPOT, from: $from, first: 500) { nodes { ${FIELDS} } } } }`;

const execution = z.object({ execId: z.string(), orderId: z.string() });
const pushed = z.object({ fills: z.object({ fills: z.array(execution) }) });
const asked = z.object({ account: z.object({ fills: z.object({ nodes: z.array(execution) }) }) });

/** Collects an account's executions as a front end does: by a subscription, and after a reported gap by a query. */
export class Executions {
  /** Identifiers as pushed, including repeated ones. */
  readonly pushed: string[] = [];
  /** Identifiers from queries after a gap. */
  readonly asked: string[] = [];
  readonly problems: string[] = [];
  /** Number of interruptions of the subscription. */
  lost = 0;
  #asking: Promise<void> = Promise.resolve();

  constructor(private readonly client: Client) {
    client.subscribe(
      PUSHED,
      {},
      {
        next: ({ data, errors, gap }) => {
          if (data === null) this.problems.push(JSON.stringify(errors));
          else this.pushed.push(...pushed.parse(data).fills.fills.map(({ execId }) => execId));
          if (gap !== null) this.#asking = this.#asking.then(() => this.#ask(gap.since));
        },
        lost: () => {
          this.lost++;
        },
        error: (errors) => this.problems.push(JSON.stringify(errors)),
        complete: () => this.problems.push("it was ended"),
      },
    );
  }

  /** The first identifier received, or empty; none after it may be missing. Identifiers are numbered in order. */
  get first(): string {
    return this.pushed[0] ?? "";
  }

  /** All executions received since the first, after pending queries have completed. */
  async all(): Promise<readonly string[]> {
    await this.#asking;
    return [...new Set([...this.pushed, ...this.asked])].filter((id) => id >= this.first).sort();
  }

  async #ask(from: string | null): Promise<void> {
    const { data, errors } = await this.client.query(SINCE, { from });
    if (data === null) this.problems.push(JSON.stringify(errors));
    else this.asked.push(...asked.parse(data).account.fills.nodes.map(({ execId }) => execId));
  }
}
