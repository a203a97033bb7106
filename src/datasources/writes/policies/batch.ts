import type { BulkResult } from "@exchange-graph/contract/bulkWrites";
import type { Endpoint } from "@exchange-graph/contract/endpoint";
import type { ParameterSet, Values } from "@exchange-graph/contract/parameter";
import type { OrderIds } from "./orderIds.js";

type Given = Values<ParameterSet>;

/** A call of the exchange that carries several writes of one kind, each with its own result. */
export interface Batch {
  readonly endpoint: Endpoint<ParameterSet, readonly BulkResult[]>;
  /** Maximum number of writes in one call. */
  readonly most: number;
  /**
   * Writes with equal text can leave with one call; undefined for a write that has a parameter which the call does not take, or
   * lacks one which it requires.
   */
  groupOf(values: Given): string | undefined;
  /** The values of the call with these writes. */
  carrying(writes: readonly Given[]): Given;
  /** The order that the write is about, as the results name it. */
  orderOf(values: Given): OrderIds;
  /** A result as the answer to the call of that write alone. */
  answerOf(result: BulkResult): unknown;
}

/** A batch of orders, each of which the single call names by `orderId` or `clientOid`, and acknowledges with both. */
const NAMED_ORDERS: Pick<Batch, "orderOf" | "answerOf"> = {
  orderOf: ({ orderId, clientOid }) => ({ orderId: textOf(orderId), clientOid: textOf(clientOid) }),
  answerOf: ({ orderId, clientOid }) => ({ orderId, clientOid }),
};
const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Describes a batch by the parameters of the single call, which it takes in its list or for all of its orders. */
export function batchOf<P extends ParameterSet>(
  endpoint: Endpoint<P, readonly BulkResult[]>,
  {
    list,
    alike,
    more = {},
    most,
  }: {
    /** The parameter with the writes. */
    readonly list: keyof P & string;
    /** Parameters in which all writes of a call are equal. */
    readonly alike: readonly string[];
    readonly more?: Partial<Values<P>>;
    /** A lower bound than the interface's, where its sources differ. */
    readonly most?: number;
  },
): Batch {
  const { items = {}, max = 1 } = endpoint.parameters[list] ?? {};
  const common = alike.filter((name) => Object.hasOwn(endpoint.parameters, name));
  const isTaken = (name: string): boolean => Object.hasOwn(items, name) || common.includes(name);
  const picked = (values: Given, names: readonly string[]) =>
    Object.fromEntries(names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])));
  const itemNames = Object.keys(items);
  const requiredNames = itemNames.filter((name) => items[name]?.required === true);
  return {
    ...NAMED_ORDERS,
    endpoint: endpoint as unknown as Batch["endpoint"],
    most: most ?? max,
    groupOf: (values) =>
      Object.keys(values).every((name) => values[name] === undefined || isTaken(name)) &&
      requiredNames.every((name) => values[name] !== undefined)
        ? // Orders named by the exchange's identifier and by the client's do not mix.
          JSON.stringify([...alike.map((name) => values[name]), values.orderId === undefined])
        : undefined,
    carrying: (writes) => ({
      ...picked(writes[0] ?? {}, common),
      ...more,
      [list]: writes.map((values) => picked(values, itemNames)),
    }),
  };
}

/** The result of one of the writes in the answer; undefined if the answer does not name it. */
export const resultFor = (results: readonly BulkResult[], { orderId, clientOid }: OrderIds): BulkResult | undefined =>
  results.find((one) => (orderId === undefined ? one.clientOid === clientOid : one.orderId === orderId));
