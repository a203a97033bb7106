/** The servers of the comparison: their names, and their modules relative to `child.ts`. */
export const SERVERS = {
  proxy: { name: "bare proxy", module: "./reads/servers/proxy.js" },
  gateway: { name: "exchange-graph", module: "./reads/servers/gateway.js" },
  apollo: { name: "Apollo Server + type-graphql", module: "./reads/servers/apollo.js" },
  yoga: { name: "GraphQL Yoga", module: "./reads/servers/yoga.js" },
  mercurius: { name: "Mercurius with JIT", module: "./reads/servers/mercurius.js" },
} as const;

export type ServerName = keyof typeof SERVERS;
export const SERVER_NAMES = Object.keys(SERVERS) as readonly ServerName[];
