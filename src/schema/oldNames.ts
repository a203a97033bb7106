import { type GraphQLSchema, isInterfaceType, isObjectType } from "graphql";

/**
 * Fields that had another name in the last release: type or interface, old name, name. Both work until the next release, which
 * removes these rows. A field `<name>Raw` follows its field.
 */
const OLD_NAMES: readonly (readonly [type: string, old: string, name: string])[] = [
  ["Account", "upgradeStatus", "upgrade"],
  ["CircuitBreaker", "state", "status"],
  ["JournalEntry", "state", "status"],
  ["LiveList", "comparedAt", "comparedTime"],
  ["Order", "orderStatus", "status"],
  ["PlanOrder", "planStatus", "status"],
  ["Position", "positionStatus", "status"],
  ["SharedCounter", "noticedAt", "noticedTime"],
  ["SharkFinOffer", "productStatus", "status"],
  ["SharkFinProduct", "productStatus", "status"],
  ["StreamSocket", "state", "status"],
  ["TradingHalt", "since", "startTime"],
  ["Viewer", "expiresTime", "expireTime"],
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
