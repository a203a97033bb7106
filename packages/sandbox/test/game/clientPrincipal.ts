import type { ManualClock } from "@exchange-graph/contract/clock";
import type { Endpoint } from "@exchange-graph/contract/endpoint";
import { readEnvelope } from "@exchange-graph/contract/envelope";
import { HEADERS } from "@exchange-graph/contract/headers";
import { signature } from "@exchange-graph/contract/signing";
import { Credentials, SANDBOX_CREDENTIALS } from "../../src/credentials.js";
import { allHandlers } from "../../src/handlers/all.js";
import { CallLog } from "../../src/http/calls.js";
import { Dispatcher } from "../../src/http/dispatch.js";
import { Gate } from "../../src/http/gate.js";
import { RateLimits } from "../../src/http/rateLimits.js";
import { Router } from "../../src/http/router.js";
import type { SandboxExchange } from "../../src/sandboxExchange.js";

/** What an exchange says to a call. */
export interface Said {
  readonly code: string;
  data(): unknown;
}

/** Signed calls of an exchange, from the check of the key to the answer, without a network in between. */
export class Caller {
  readonly #dispatcher: Dispatcher;

  constructor(
    { world, services }: SandboxExchange,
    readonly clock: ManualClock,
  ) {
    const { accounts } = world.state;
    this.#dispatcher = new Dispatcher({
      router: new Router(allHandlers({ world, services }, clock)),
      gate: new Gate(new Credentials(SANDBOX_CREDENTIALS), accounts, clock),
      limits: new RateLimits(clock, false),
      calls: new CallLog(),
      isCopyTrader: (uid) => accounts.of(uid).isCopyTrader,
      advance: () => world.advance(),
      clock,
      report(error) {
        throw error;
      },
    });
  }

  post({ path }: Endpoint, uid: string, body: object): Said {
    return this.#call("POST", path, "", uid, JSON.stringify(body));
  }

  get({ path }: Endpoint, uid: string, values: Readonly<Record<string, string>>): Said {
    return this.#call("GET", path, new URLSearchParams(values).toString(), uid, "");
  }

  #call(method: "GET" | "POST", path: string, query: string, uid: string, body: string): Said {
    const credential = SANDBOX_CREDENTIALS.find((each) => each.uid === uid);
    if (credential === undefined) throw new Error(`no key for ${uid}`);
    const timestamp = String(this.clock.now());
    const target = query === "" ? path : `${path}?${query}`;
    const headers = new Map<string, string>([
      [HEADERS.key, credential.key],
      [HEADERS.passphrase, credential.passphrase],
      [HEADERS.timestamp, timestamp],
      [HEADERS.sign, signature(credential.secret, { timestamp, method, target, body })],
      ["content-type", "application/json"],
    ]);
    const header = (name: string) => headers.get(name);
    const answer = this.#dispatcher.answer({ method, target, path, query, body, address: "127.0.0.1", header });
    return { code: answer.code, data: () => readEnvelope(answer.body)?.data };
  }
}
