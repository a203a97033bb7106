import type { Clock } from "@exchange-graph/contract/clock";
import type { Endpoint } from "@exchange-graph/contract/endpoint";
import { SUCCESS } from "@exchange-graph/contract/envelope";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { HEADERS } from "@exchange-graph/contract/headers";
import type { Credential } from "../credentials.js";
import { Refused } from "../refused.js";
import { type Answer, failure, type Received, success } from "./answer.js";
import { type CallLog, UNKNOWN_ENDPOINT } from "./calls.js";
import type { Gate } from "./gate.js";
import { parametersFrom, readParameters, type UncheckedParameters } from "./parameters.js";
import type { RateLimits, Verdict } from "./rateLimits.js";
import type { Route, Router } from "./router.js";

interface DispatchParts {
  readonly router: Router;
  readonly gate: Gate;
  readonly limits: RateLimits;
  readonly calls: CallLog;
  /** Copy-trading traders have lower limits on some endpoints. */
  readonly isCopyTrader: (uid: string) => boolean;
  readonly advance: () => void;
  readonly clock: Clock;
  /** Called with an internal error of a handler; the client is answered HTTP 500. */
  readonly report: (error: unknown) => void;
}

type Outcome = { readonly data: unknown } | { readonly refused: Refused };
/** Outcomes of calls that arrived together: one each, or one refusal of all of them. */
type Entrusted = { readonly outcomes: readonly Outcome[] } | { readonly refused: Refused };

/** Passes a call through every check to its handler and wraps the result. Never throws. */
export class Dispatcher {
  constructor(readonly parts: DispatchParts) {}

  route(request: Received): Route | undefined {
    return this.parts.router.find(request.method, request.path);
  }

  answer(request: Received): Answer {
    const { limits, calls, clock } = this.parts;
    const at = clock.now();
    const route = this.route(request);
    let caller: Credential | undefined;
    let verdict: Verdict | undefined;
    const outcome = this.#outcome(() => {
      if (!limits.admitAddress(request.address)) throw new Refused(REFUSAL.tooManyRequests);
      if (route === undefined) throw new Refused(isRetired(request) ? REFUSAL.retired : REFUSAL.unknownPath);
      const { endpoint, served, handler } = route;
      // First, because an account may have changed its mode meanwhile.
      this.parts.advance();
      if (needsKey(endpoint, request)) caller = this.parts.gate.admit(endpoint, request);
      verdict = this.#admit(endpoint, caller?.uid, request.address);
      if (!verdict.allowed) throw new Refused(REFUSAL.tooManyRequests);
      return success(handler.answer(readParameters(served, request, at), caller), clock.now());
    });
    const answer = outcome instanceof Refused ? failure(outcome, clock.now()) : outcome;
    calls.record({ at, endpoint: route?.endpoint.name ?? UNKNOWN_ENDPOINT, code: answer.code, uid: caller?.uid });
    return verdict === undefined ? answer : { ...answer, remaining: verdict.remaining };
  }

  /**
   * Executes calls of one endpoint from one message of a logged-in socket: all checks after those of the key. They count as one
   * call for the rate limit. Never throws.
   */
  entrusted(endpoint: Endpoint, caller: Credential, requests: readonly UncheckedParameters[]): Entrusted {
    const { router, gate, calls, clock } = this.parts;
    const at = clock.now();
    const route = this.#outcome(() => {
      const found = router.find(endpoint.method, endpoint.path);
      if (found === undefined) throw new Refused(REFUSAL.unknownPath);
      this.parts.advance();
      gate.allow(endpoint, caller);
      if (!this.#admit(endpoint, caller.uid, "").allowed) throw new Refused(REFUSAL.tooManyRequests);
      return found;
    });
    const outcomes = requests.map((one): Outcome => {
      const outcome =
        route instanceof Refused
          ? route
          : this.#outcome(() => route.handler.answer(parametersFrom(route.served, one, at), caller));
      const code = outcome instanceof Refused ? outcome.refusal.code : SUCCESS;
      calls.record({ at, endpoint: endpoint.name, code, uid: caller.uid });
      return outcome instanceof Refused ? { refused: outcome } : { data: outcome };
    });
    return route instanceof Refused ? { refused: route } : { outcomes };
  }

  #admit(endpoint: Endpoint, uid: string | undefined, address: string): Verdict {
    const { limits, isCopyTrader } = this.parts;
    if (endpoint.rate.per === "IP" || uid === undefined) return limits.admit(endpoint, address, false);
    return limits.admit(endpoint, uid, isCopyTrader(uid));
  }

  /** The outcome of a call, or the refusal; an internal error is reported and answered as a refusal. */
  #outcome<T>(act: () => T): T | Refused {
    try {
      return act();
    } catch (error) {
      if (error instanceof Refused) return error;
      this.parts.report(error);
      return new Refused(REFUSAL.serviceFault);
    }
  }
}

/** Whether a key is required. If a key is optional, a key that is present must be valid. */
const needsKey = ({ access }: Endpoint, request: Received): boolean =>
  access === "private" || (access === "either" && request.header(HEADERS.key) !== undefined);

/** Paths of the interface before Classic, such as `/api/spot/v1/…`. */
const isRetired = ({ path }: Received): boolean => /^\/api\/[a-z]+\/v1\//.test(path);
