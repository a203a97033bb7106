import { installPeers } from "./peers.js";

/** The servers of the comparison. Those that `npm ci` does not install are in `bench/peers`. */

interface Server {
  readonly name: string;
  /** Path relative to `child.ts`. */
  readonly module: string;
  /** Set for servers of `bench/peers`: the oldest Node.js major version that they support. */
  readonly peerOnNode?: number;
}

export const SERVERS = {
  proxy: { name: "bare proxy", module: "./reads/servers/proxy.js" },
  gateway: { name: "exchange-graph", module: "./reads/servers/gateway.js" },
  apollo: { name: "Apollo Server + type-graphql", module: "./reads/servers/apollo.js" },
  yoga: { name: "GraphQL Yoga", module: "./reads/servers/yoga.js" },
  mercurius: { name: "Mercurius with JIT", module: "./reads/servers/mercurius.js" },
  grafserv: { name: "grafserv with Grafast plans", module: "../../bench/peers/grafserv.js", peerOnNode: 22 },
  routerRuntime: { name: "Hive Gateway with router-runtime", module: "../../bench/peers/routerRuntime.js", peerOnNode: 20 },
} as const satisfies Readonly<Record<string, Server>>;

export type ServerName = keyof typeof SERVERS;
export const SERVER_NAMES = Object.keys(SERVERS) as readonly ServerName[];

/** Servers that cannot run here, with the reason. */
export function unavailableServers(): ReadonlyMap<ServerName, string> {
  const notInstalled = installPeers();
  const major = Number.parseInt(process.versions.node, 10);
  const reasons = new Map<ServerName, string>();
  for (const name of SERVER_NAMES) {
    const { peerOnNode }: Server = SERVERS[name];
    if (peerOnNode === undefined) continue;
    if (major < peerOnNode) reasons.set(name, `needs Node ${peerOnNode}`);
    else if (notInstalled !== undefined) reasons.set(name, notInstalled);
  }
  return reasons;
}
