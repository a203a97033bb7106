import type { Settings } from "./variables.js";

export const limitsOf = (settings: Settings) => ({
  document: {
    tokens: settings.MAX_TOKENS,
    depth: settings.MAX_DEPTH,
    fields: settings.MAX_FIELDS,
    aliases: settings.MAX_ALIASES,
    rootFields: settings.MAX_ROOT_FIELDS,
    directives: settings.MAX_DIRECTIVES,
    listItems: settings.MAX_LIST_ITEMS,
  },
  cost: { upstreamCalls: settings.MAX_UPSTREAM_CALLS, nodes: settings.MAX_NODES },
  load: { readsMs: settings.MAX_LOOP_DELAY_READS_MS, writesMs: settings.MAX_LOOP_DELAY_WRITES_MS },
  principal: {
    operationsPerMinute: settings.CLIENT_OPERATIONS_PER_MINUTE,
    upstreamCallsPerMinute: settings.CLIENT_UPSTREAM_CALLS_PER_MINUTE,
    eventsPerMinute: settings.CLIENT_EVENTS_PER_MINUTE,
  },
  connection: {
    connections: settings.MAX_CONNECTIONS,
    connectionsPerAddress: settings.MAX_CONNECTIONS_PER_ADDRESS,
    headersMs: settings.HEADERS_TIMEOUT_MS,
    requestMs: settings.REQUEST_TIMEOUT_MS,
    keepAliveMs: settings.KEEP_ALIVE_TIMEOUT_MS,
  },
  socket: {
    connections: settings.MAX_CONNECTIONS,
    connectionsPerAddress: settings.MAX_CONNECTIONS_PER_ADDRESS,
    connectionsPerClient: settings.CLIENT_SOCKETS,
    connectionInitMs: settings.CONNECTION_INIT_TIMEOUT_MS,
  },
});

/** Contradictions between limits: reads have to be refused before writes. */
export function limitContradictions(values: Readonly<Record<string, string>>): readonly string[] {
  const [reads, writes] = [values.MAX_LOOP_DELAY_READS_MS ?? "300", values.MAX_LOOP_DELAY_WRITES_MS ?? "1500"];
  return Number.parseInt(writes, 10) < Number.parseInt(reads, 10)
    ? [`MAX_LOOP_DELAY_WRITES_MS: must not be below MAX_LOOP_DELAY_READS_MS (${reads})`]
    : [];
}
