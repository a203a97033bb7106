import type { Endpoint } from "@exchange-graph/contract/endpoint";
import type { ParameterSet } from "@exchange-graph/contract/parameter";
import type { ExchangeAccount } from "../../calls/index.js";
import { growingLru } from "../../errors/index.js";
import type { Call, LiveAnswer, LiveAnswers } from "../../reads/index.js";
import type { LiveKind } from "../state/kinds.js";
import { AnswerCounts } from "./answerCounts.js";
import type { Keeper } from "./keeper.js";
import { type LiveEndpoint, liveEndpoints, type ProvenAccount } from "./liveEndpoints.js";

/** Maximum number of answers kept until their state changes, so that equal calls share one object. */
const MAX_ANSWERS = 2_000;

/** The state that answers are derived from. */
interface ProvenStates {
  provenOf(account: string): ProvenAccount;
  /** Changes with the state of an answer; undefined while that is not proven, or if the account has another mode. */
  versionOf(account: string, live: LiveEndpoint, mode: Endpoint["serves"], part: string | undefined): object | undefined;
  /** Maximum age of the state of an answer, ms. */
  ageOf(account: string, live: LiveEndpoint, part: string | undefined): number;
  /** When the lists that an answer rests on were last compared with the exchange, the earliest of them, Unix ms. */
  comparedAtOf(account: string, live: LiveEndpoint, part: string | undefined): number | undefined;
  /** Called when a call is not answered from the state. */
  missed(account: string, live: LiveEndpoint): void;
}

/** Answers calls from the state of accounts, while that is proven. */
export class AccountAnswers implements Pick<LiveAnswers, "answer"> {
  readonly #answers = growingLru<{ readonly version: object; readonly value: unknown }>(MAX_ANSWERS);
  readonly counts = new AnswerCounts<LiveKind>();

  constructor(
    private readonly states: ProvenStates,
    private readonly keeper: Pick<Keeper<ExchangeAccount, LiveKind>, "asked">,
    /** Whether this replica may rely on having received the notices of the others' writes. */
    private readonly isConfirmed: () => boolean,
  ) {}

  answer<P extends ParameterSet, D>(call: Call<P, D>): LiveAnswer | undefined {
    const { account, endpoint } = call;
    const live = liveEndpoints.get(endpoint.name);
    if (live === undefined || account === undefined) return undefined;
    const { kind } = live;
    this.keeper.asked(account, kind);
    const part = live.partOf(call);
    const versionNow = () => (this.isConfirmed() ? this.states.versionOf(account.name, live, endpoint.serves, part) : undefined);
    const version = versionNow();
    const value = version === undefined ? undefined : this.#valueOf(call, account.name, live, version);
    this.counts.add(kind, value !== undefined);
    if (value === undefined) {
      this.states.missed(account.name, live);
      return undefined;
    }
    const holds = () => versionNow() === version;
    const ageMs = this.states.ageOf(account.name, live, part);
    const comparedAt = this.states.comparedAtOf(account.name, live, part);
    return { value, ageMs, comparedAt, validity: { holds, isDropped: () => !holds() } };
  }

  #valueOf<P extends ParameterSet, D>(call: Call<P, D>, account: string, live: LiveEndpoint, version: object): unknown {
    const cached = this.#answers.get(call.key);
    if (cached?.version === version) return cached.value;
    const value = live.answer(call, this.states.provenOf(account));
    if (value !== undefined) this.#answers.set(call.key, { version, value });
    return value;
  }
}
