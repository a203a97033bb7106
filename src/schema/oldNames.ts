import { type GraphQLSchema, isInterfaceType, isObjectType } from "graphql";

/**
 * Fields that had another name: type or interface, old name, name. Both work for as long as docs/stability.md says of deprecated
 * interfaces. A field `<name>Raw` follows its field.
 */
const OLD_NAMES: readonly (readonly [type: string, old: string, name: string])[] = [
  ["Account", "upgradeStatus", "upgrade"],
  ["Borrowable", "crossed", "isCrossBorrowable"],
  ["Borrowable", "isolatedBase", "isIsolatedBaseBorrowable"],
  ["Borrowable", "isolatedQuote", "isIsolatedQuoteBorrowable"],
  ["Candle", "start", "startTime"],
  ["CircuitBreaker", "state", "status"],
  ["CoinChain", "needsTag", "isTagRequired"],
  ["Instrument", "areaSymbol", "isRegional"],
  ["JournalEntry", "state", "status"],
  ["JournalEntry", "validUntil", "expireTime"],
  ["LiveList", "comparedAt", "comparedTime"],
  ["Order", "orderStatus", "status"],
  ["Order", "reduceOnly", "isReduceOnly"],
  ["PlanOrder", "planStatus", "status"],
  ["Position", "autoMargin", "hasAutoMargin"],
  ["Position", "positionStatus", "status"],
  ["SavingsHolding", "advanceRedeem", "canRedeemEarly"],
  ["SavingsProduct", "advanceRedeem", "canRedeemEarly"],
  ["SharedCounter", "noticedAt", "noticedTime"],
  ["SharkFinOffer", "productStatus", "status"],
  ["SharkFinProduct", "productStatus", "status"],
  ["SpotSymbol", "areaSymbol", "isRegional"],
  ["StreamSocket", "state", "status"],
  ["TradingHalt", "since", "startTime"],
  ["UserError", "retryable", "isRetryable"],
  ["Viewer", "expiresTime", "expireTime"],
  ["WritePayload", "sentWithoutJournal", "isUnjournaled"],
];

/** Adds every renamed field under its old name too, deprecated, with the same arguments, scope, cost and value. */
export function addOldNames(graph: GraphQLSchema): void {
  for (const [typeName, old, name] of OLD_NAMES) {
    const type = graph.getType(typeName);
    if (!isObjectType(type) && !isInterfaceType(type)) throw new Error(`the graph has no type ${typeName}`);
    const owners = isInterfaceType(type) ? [type, ...graph.getImplementations(type).objects] : [type];
    for (const owner of owners) {
      const fields = owner.getFields();
      if (fields[name] === undefined) throw new Error(`${owner.name} has no field ${name}`);
      for (const suffix of ["", "Raw"]) {
        const now = `${name}${suffix}`;
        const field = fields[now];
        if (field === undefined) continue;
        fields[`${old}${suffix}`] = {
          ...field,
          name: `${old}${suffix}`,
          deprecationReason: `Use \`${now}\``,
          resolve: field.resolve ?? ((source) => Reflect.get(source, now)),
        };
      }
    }
  }
}
