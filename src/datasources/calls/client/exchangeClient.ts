import { bodyOf, type Endpoint, encoded, leavingNow } from "@exchange-graph/contract/endpoint";
import { type Envelope, readEnvelope, SUCCESS } from "@exchange-graph/contract/envelope";
import { errorRow } from "@exchange-graph/contract/errors";
import { REFUSAL, type Refusal } from "@exchange-graph/contract/errors/refusal";
import type { ErrorCategory } from "@exchange-graph/contract/errors/row";
import { HEADERS } from "@exchange-graph/contract/headers";
import type { ParameterSet, Values } from "@exchange-graph/contract/parameter";
import { type QueryForm, queryString, signature } from "@exchange-graph/contract/signing";
import { WireError } from "@exchange-graph/contract/wireError";
import { INSTRUMENTATION, type Instrumentation } from "../../../instrumentation/instrumentation.js";
import { callFault } from "../../errors/index.js";
import type { Credentials, ExchangeAccount } from "../accounts/exchangeAccount.js";
import { AnswerReader, decoded, ExchangeAnswered, refusal, reported, textIn, unreadable, withoutEnvelope } from "./answers.js";
import type { ExchangeClock } from "./exchangeClock.js";
import { type ExchangeTransport, TransportFailure, type WireAnswer } from "./transport.js";

/** Called with the outcome of every signed call; `fault` is its error, if any. */
type SignedObserver = (account: ExchangeAccount, signedBy: Credentials, endpoint: Endpoint, fault?: unknown) => void;

/** A decoded answer, with the exchange's report of its rate limit. */
export interface Answer<D> {
  readonly data: D;
  /** Rows that could not be decoded, each of which also takes its place in `data`, and fields, which are null. */
  readonly unread: readonly WireError[];
  /** The answer's text in UTF-8, which `decode` takes. */
  readonly body: Buffer;
  readonly decode: AnswerReader["decode"];
  /** Calls that the exchange reports as left in the current window of this endpoint. */
  readonly remaining: number | undefined;
  /** The HTTP status. The envelope decides in any case, but some statuses come from proxies. */
  readonly status: number;
}

/** A call before it is signed. */
interface PreparedRequest {
  /** Path and query, by the form of the query: the encoded one is sent, either may be signed. */
  readonly targets: Readonly<Record<QueryForm, string>>;
  readonly body: string | undefined;
}

export interface SendTerms {
  /** The exchange's time that a write is signed for, Unix ms. */
  readonly signedAt?: number;
  /**
   * Called before a read is sent again, because the exchange counts each attempt. Returns the deadline of its answer, Unix ms. An
   * error that it throws ends the call.
   */
  beforeResend?(): Promise<number>;
}

interface Attempt extends Pick<PreparedRequest, "targets"> {
  readonly answer: WireAnswer;
  /** Its text in UTF-8. */
  readonly body: Buffer;
  readonly envelope: Envelope | undefined;
}

/** A call that is being made. */
interface Sending<P extends ParameterSet> {
  readonly endpoint: Endpoint<P>;
  readonly values: Values<P>;
  /** Each attempt is signed with its current credentials. */
  readonly account: ExchangeAccount | undefined;
  readonly signedAt: number | undefined;
}

/** Signs and sends single calls, and decodes their answers. Has no cache and no rate budget. */
export class ExchangeClient {
  /** The form of the query whose signature this exchange last accepted. */
  #signedForm: QueryForm = "decoded";
  /** Readers of the endpoints' answers, by endpoint name. */
  readonly #readers = new Map<string, AnswerReader>();

  constructor(
    private readonly transport: Pick<ExchangeTransport, "send">,
    readonly exchangeClock: ExchangeClock,
    private readonly options: {
      readonly demo: boolean;
      readonly onSigned?: SignedObserver;
      readonly instrumentation?: Instrumentation | undefined;
    } = { demo: false },
  ) {}

  /**
   * Makes one call. `signer` is required for private endpoints, ignored for public ones, and used if given for endpoints that
   * allow both. Each attempt is signed with the account's current credentials. Throws `Fault`; its cause is a `TransportFailure`
   * if there was no answer, otherwise an `ExchangeAnswered`.
   *
   * A read whose timestamp or signature is refused is signed and sent once more. A write is sent once.
   */
  async call<P extends ParameterSet, D>(
    endpoint: Endpoint<P, D>,
    values: Values<P>,
    signer: ExchangeAccount | undefined,
    deadlineAt: number,
    terms: SendTerms = {},
  ): Promise<Answer<D>> {
    const by = endpoint.access === "public" ? undefined : signer;
    const signedBy = by?.credentials;
    try {
      const sending: Sending<P> = { endpoint, values, account: by, signedAt: terms.signedAt };
      const form = this.#signedForm;
      let made = await this.#attempt(sending, form, deadlineAt);
      if (isAboutSigning(made)) {
        const again = async (other: QueryForm) =>
          this.#attempt(sending, other, (await terms.beforeResend?.()) ?? deadlineAt, true);
        made = await this.#repeated(endpoint, form, made, again);
      }
      const { answer, body, envelope } = made;
      const { data, unread } = this.#understood(endpoint, answer, envelope);
      if (by !== undefined && signedBy !== undefined) this.options.onSigned?.(by, signedBy, endpoint);
      return { data, unread, body, decode: this.decoderOf(endpoint), remaining: remainingOf(answer), status: answer.status };
    } catch (error) {
      if (by !== undefined && signedBy !== undefined) this.options.onSigned?.(by, signedBy, endpoint, error);
      throw error;
    }
  }

  /** Repeats a read whose timestamp or signature was refused. */
  async #repeated(
    endpoint: Endpoint,
    form: QueryForm,
    refused: Attempt,
    again: (form: QueryForm) => Promise<Attempt>,
  ): Promise<Attempt> {
    const mayRepeat = (made: Attempt) => endpoint.method === "GET" && isRefusal(made, REFUSAL.staleTimestamp);
    const first = mayRepeat(refused) ? await again(form) : refused;
    if (!isRefusal(first, REFUSAL.wrongSignature) || first.targets.decoded === first.targets.encoded) return first;
    return this.#inOtherForm(form, first, async (other) => {
      const made = await again(other);
      return mayRepeat(made) ? again(other) : made;
    });
  }

  /** Decodes texts of an endpoint's answers. */
  decoderOf(endpoint: Endpoint): AnswerReader["decode"] {
    return this.#readerOf(endpoint).decode;
  }

  /** Decides by the envelope's code if there is one, otherwise by the HTTP status. */
  #understood<D>(
    endpoint: Endpoint<ParameterSet, D>,
    answer: WireAnswer,
    envelope: Envelope | undefined,
  ): Pick<Answer<D>, "data" | "unread"> {
    const events = this.options.instrumentation ?? INSTRUMENTATION;
    if (envelope === undefined) throw withoutEnvelope(endpoint, answer);
    if (envelope.code !== SUCCESS) throw refusal(endpoint, envelope, answer.status);
    try {
      const { data, found } = decoded(endpoint, envelope.data);
      return { data, ...reported(events, endpoint.name, endpoint.data.fields, envelope.data, found) };
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      events.unread.publish({ source: endpoint.name, error });
      throw unreadable(endpoint.name, error, new ExchangeAnswered(answer.status, { cause: error }));
    }
  }

  /** Repeats a read once, with the other form of its query signed. The accepted form is used from then on. */
  async #inOtherForm(form: QueryForm, refused: Attempt, attempt: (form: QueryForm) => Promise<Attempt>): Promise<Attempt> {
    const other = form === "decoded" ? "encoded" : "decoded";
    const second = await attempt(other);
    if (isRefusal(second, REFUSAL.wrongSignature)) return refused;
    if (second.envelope?.code === SUCCESS) this.#signedForm = other;
    return second;
  }

  /**
   * Sends a call with this form of its query signed; waits for its answer until the deadline, Unix ms. `isRepeated`: its timestamp
   * was refused before, and it is signed for the time that the refusal states.
   */
  async #attempt<P extends ParameterSet>(
    { endpoint, values, account, signedAt }: Sending<P>,
    form: QueryForm,
    deadlineAt: number,
    isRepeated = false,
  ): Promise<Attempt> {
    const { exchangeClock } = this;
    const credentials = account?.credentials;
    const at = signedAt ?? (isRepeated ? exchangeClock.stated() : exchangeClock.now());
    // The call may have waited for its rate budget, and the exchange's history has moved meanwhile.
    const { targets, body: sent } = requestOf(endpoint, leavingNow(endpoint, values, exchangeClock.now()));
    const headers = this.#headers(endpoint, targets[form], sent, credentials, at);
    const sentAt = exchangeClock.local();
    let answer: WireAnswer;
    try {
      const request = { method: endpoint.method, target: targets.encoded, headers, body: sent, deadlineAt };
      answer = await this.transport.send(request);
    } catch (error) {
      if (!(error instanceof TransportFailure)) throw error;
      const code = error.kind === "timeout" ? "EXCHANGE_TIMEOUT" : "EXCHANGE_UNAVAILABLE";
      throw callFault(code, endpoint.name, error.message, {}, { cause: error });
    }
    const receivedAt = exchangeClock.local();
    const body = textIn(answer);
    const envelope = readEnvelope(body.toString("utf8"), this.#readerOf(endpoint).parse);
    if (envelope?.code === REFUSAL.staleTimestamp.code) exchangeClock.refused();
    if (envelope?.requestTime !== undefined) exchangeClock.observe(sentAt, receivedAt, envelope.requestTime);
    if (credentials !== undefined && hasAcceptedSignature(endpoint, envelope)) exchangeClock.accepted(at, sentAt);
    return { answer, body, envelope, targets };
  }

  #readerOf(endpoint: Endpoint): AnswerReader {
    const existing = this.#readers.get(endpoint.name);
    if (existing !== undefined) return existing;
    const reader = new AnswerReader(endpoint);
    this.#readers.set(endpoint.name, reader);
    return reader;
  }

  /** Names and values in turns. `target` is the signed one. */
  #headers(
    endpoint: Endpoint,
    target: string,
    body: string | undefined,
    credentials: Credentials | undefined,
    signedAt: number,
  ): string[] {
    if (endpoint.access === "private" && credentials === undefined)
      throw new Error(`${endpoint.name} is private and needs an account`);
    const signer = endpoint.access === "public" ? undefined : credentials;
    const headers = ["accept", "application/json", "locale", "en-US"];
    if (signer !== undefined || body !== undefined) headers.push("content-type", "application/json");
    if (this.options.demo) headers.push(HEADERS.demo, "1");
    if (signer === undefined) return headers;
    const timestamp = String(signedAt);
    const sign = signature(signer.apiSecret.reveal(), { timestamp, method: endpoint.method, target, body });
    headers.push(HEADERS.key, signer.apiKey.reveal(), HEADERS.passphrase, signer.passphrase.reveal());
    headers.push(HEADERS.timestamp, timestamp, HEADERS.sign, sign);
    return headers;
  }
}

/** Refusals for the state of the account, which the exchange looks up once it has accepted the signature. */
const OF_ACCOUNT: ReadonlySet<ErrorCategory> = new Set(["accountMode", "balance", "duplicate", "orderNotFound"]);

/** Whether the answer shows that the signature and its time were accepted. */
function hasAcceptedSignature({ apiVersion }: Endpoint, envelope: Envelope | undefined): boolean {
  if (envelope === undefined || envelope.code === SUCCESS) return envelope !== undefined;
  const row = errorRow(apiVersion, envelope.code);
  return row !== undefined && OF_ACCOUNT.has(row.category);
}

const isAboutSigning = (made: Attempt): boolean =>
  isRefusal(made, REFUSAL.staleTimestamp) || isRefusal(made, REFUSAL.wrongSignature);

const isRefusal = ({ envelope }: Attempt, { code }: Refusal): boolean => envelope?.code === code;

/** The parameters of a call: in the query of a read, in the body of a write. */
function requestOf<P extends ParameterSet>(endpoint: Endpoint<P>, values: Values<P>): PreparedRequest {
  const { method, path } = endpoint;
  if (method === "POST") return { targets: { decoded: path, encoded: path }, body: bodyOf(endpoint, values) };
  const parameters = encoded(endpoint, values);
  const target = (form: QueryForm): string => {
    const query = queryString(parameters, form);
    return query === "" ? path : `${path}?${query}`;
  };
  return { targets: { decoded: target("decoded"), encoded: target("encoded") }, body: undefined };
}

function remainingOf(answer: WireAnswer): number | undefined {
  const header = answer.headers[HEADERS.remaining];
  return typeof header === "string" && /^\d{1,9}$/.test(header) ? Number.parseInt(header, 10) : undefined;
}
