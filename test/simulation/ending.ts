import type { ClientPrincipal } from "../../src/access/principal/clientPrincipal.js";
import type { Past } from "./past.js";
import type { Replica } from "./replica.js";
import type { StreamInvariant } from "./streamAuditor.js";

const WRITES = `query ($account: String!) {
  account(name: $account) { journal(first: 100) { nodes { status idempotencyKey mutation clientOid } } }
}`;

interface Journal {
  readonly account: {
    readonly journal: {
      readonly nodes: readonly {
        readonly status: string;
        readonly idempotencyKey: string;
        readonly mutation: string;
        readonly clientOid: string | null;
      }[];
    };
  } | null;
}

interface Parts {
  readonly client: ClientPrincipal;
  readonly accounts: readonly string[];
  readonly past: Past;
  /** Whether the exchange may still execute the request of an order, or without an identifier any request. */
  readonly mayBeExecuted: (clientOid: string | null) => boolean;
  /** Whether the exchange says that an order is older than its request. */
  readonly isOlder: (clientOid: string) => boolean;
  /** Whether the outcome of a withdrawal or setting with this key must be known. */
  readonly mustSettle: (key: string) => boolean;
  /** Called with the key of each write in the journal, and its outcome there. */
  readonly recorded: (key: string, status: string) => void;
  readonly fail: (invariant: StreamInvariant, text: string) => void;
}

/**
 * Checks that a gateway works again once faults are over: it is ready, and every write of its accounts has an outcome. Some can
 * never be proven: orders without an identifier of the client, orders that somebody has changed since, and those that are older
 * than their requests because the exchange's clock was set back; others not yet, since that clock has jumped.
 */
export async function checkRecovered(
  replica: Replica,
  { client, accounts, past, mayBeExecuted, isOlder, mustSettle, recorded, fail }: Parts,
): Promise<void> {
  const why = await replica.whyNotReady();
  if (why !== undefined) fail("lives again", `${replica.name} is not ready: ${why}`);
  for (const account of accounts) {
    const { account: found } = (await replica.execute(client, WRITES, { account })) as Journal;
    for (const { idempotencyKey, status } of found?.journal.nodes ?? []) recorded(idempotencyKey, status);
    const open = found?.journal.nodes.find(
      ({ status, mutation, clientOid, idempotencyKey }) =>
        (status === "SENT" && !mayBeExecuted(clientOid)) ||
        (status === "UNKNOWN" && mustSettle(idempotencyKey)) ||
        (status === "UNKNOWN" &&
          mutation === "placeOrder" &&
          clientOid !== null &&
          !past.changed.has(clientOid) &&
          !isOlder(clientOid) &&
          !mayBeExecuted(clientOid)),
    );
    if (open !== undefined) fail("settles", `${open.mutation} ${open.idempotencyKey} of ${account} is still ${open.status}`);
  }
}
