import type { Clock } from "@exchange-graph/contract/clock";
import { type GraphQLError, Kind, type OperationDefinitionNode, OperationTypeNode } from "graphql";
import { overloaded } from "../errors/operationRefusals.js";

const SAMPLE_MS = 50;
/** Weight of a new sample in the moving average. */
const WEIGHT = 0.3;

/**
 * Delay of the event loop: a moving average over the smaller of two consecutive samples, so that a single long pause, such as at
 * the start, does not count as overload.
 */
export class LoopDelay {
  #averageMs = 0;
  #lastMs = 0;
  #dueAt = 0;
  #cancel: () => void = () => undefined;

  constructor(private readonly clock: Clock) {
    this.#book();
  }

  get ms(): number {
    return this.#averageMs;
  }

  close(): void {
    this.#cancel();
  }

  #book(): void {
    this.#dueAt = this.clock.now() + SAMPLE_MS;
    this.#cancel = this.clock.after(SAMPLE_MS, () => {
      const lateMs = Math.max(0, this.clock.now() - this.#dueAt);
      this.#averageMs += (Math.min(lateMs, this.#lastMs) - this.#averageMs) * WEIGHT;
      this.#lastMs = lateMs;
      this.#book();
    });
  }
}

/** Event loop delay, in ms, from which operations are refused. */
export interface LoadLimits {
  readonly readsMs: number;
  readonly writesMs: number;
}

/** Defaults: reads are refused long before writes. */
export const LOAD_LIMITS: LoadLimits = { readsMs: 300, writesMs: 1_500 };

/** Mutations that reduce risk and are never refused for load. */
const ALWAYS: ReadonlySet<string> = new Set(["cancelOrder", "haltTrading"]);

/** Refuses operations while the event loop is late, because more operations would delay all others further. */
export class Load {
  constructor(
    private readonly limits: LoadLimits,
    private readonly delay: { readonly ms: number },
  ) {}

  refused(operation: OperationDefinitionNode): GraphQLError | undefined {
    const { readsMs, writesMs } = this.limits;
    const { ms } = this.delay;
    if (ms <= readsMs) return undefined;
    const isWrite = operation.operation === OperationTypeNode.MUTATION;
    if (isWrite && (ms <= writesMs || takesOnlyRiskAway(operation))) return undefined;
    return overloaded(Math.ceil(ms * 2));
  }
}

const takesOnlyRiskAway = ({ selectionSet: { selections } }: OperationDefinitionNode): boolean =>
  selections.every((selection) => selection.kind === Kind.FIELD && ALWAYS.has(selection.name.value));
