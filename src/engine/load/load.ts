import { type GraphQLError, Kind, type OperationDefinitionNode, OperationTypeNode } from "graphql";
import { overloaded } from "../errors/refusal.js";

/** From which delay of the event loop on operations are refused, in ms. */
export interface LoadLimits {
  readonly readsMs: number;
  readonly writesMs: number;
}

/** The defaults: reads are given up long before writes. */
export const LOAD_LIMITS: LoadLimits = { readsMs: 300, writesMs: 1_500 };

/** What takes risk away is never refused for load. */
const ALWAYS: ReadonlySet<string> = new Set(["cancelOrder", "haltTrading"]);

/** Refuses operations while the event loop is late: what is admitted then would only make all others later. */
export class Load {
  constructor(
    private readonly limits: LoadLimits,
    private readonly delay: { readonly ms: number },
  ) {}

  /** Why an operation is not to be begun now. */
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
