import type { Clock } from "@exchange-graph/contract/clock";
import { type Endpoint, encoded } from "@exchange-graph/contract/endpoint";
import { type Envelope, readEnvelope, SUCCESS } from "@exchange-graph/contract/envelope";
import { REFUSAL, type Refusal } from "@exchange-graph/contract/errors/refusal";
import { HEADERS } from "@exchange-graph/contract/headers";
import { LikeRowsParser } from "@exchange-graph/contract/likeRows";
import type { ParameterSet, Values } from "@exchange-graph/contract/parameter";
import { type QueryForm, queryString, signature } from "@exchange-graph/contract/signing";
import { WireError } from "@exchange-graph/contract/wireError";
import { INSTRUMENTATION, type Instrumentation } from "../../instrumentation/instrumentation.js";
import type { Credentials, ExchangeAccount } from "../accounts/exchangeAccount.js";
import { Fault } from "../fault.js";
import { envelopeIn, textIn } from "./answerBody.js";
import type { ExchangeClock } from "./exchangeClock.js";
import { Answered, refusal, unreadable, withoutEnvelope } from "./refusal.js";
import { type Transport, TransportFailure, type WireAnswer } from "./transport.js";

/** Hears how every signed call has ended; `fault` is what it came to, where it came to one. */
type SignedObserver = (account: ExchangeAccount, signedBy: Credentials, endpoint: Endpoint, fault?: unknown) => void;

/** An answer that was understood, with what the exchange said about the budget. */
export interface Answer<D> {
  readonly data: D;
  /** Rows that could not be read; each stands in its place in `data`. */
  readonly unread: readonly WireError[];
  /** The answer as it came: who keeps many keeps them this way, which is one object and not hundreds. */
  readonly body: Buffer;
  /** Reads such a body again. */
  readonly again: (body: Buffer) => D;
  /** The answer's text, which `decode` reads. */
  readonly text: () => string;
  /** Calls that the exchange says are left in its current window of this endpoint. */
  readonly remaining: number | undefined;
  /** The HTTP status. The envelope decides whatever it is, but under some of them others speak than the exchange. */
  readonly status: number;
}

/** A call before it is signed. */
interface PreparedRequest {
  /** Path and query, by the form of the query: the encoded one is sent, one of them is signed. */
  readonly targets: Readonly<Record<QueryForm, string>>;
  readonly body: string | undefined;
}

/** How a call is sent. */
interface SendTerms {
  /** The exchange's time that a write is signed for, Unix ms. */
  readonly signedAt?: number;
  /**
   * Called before a read is sent again, for the exchange counts each sending: gives until when its answer is waited for, Unix ms. What it
   * throws ends the call.
   */
  readonly beforeResend?: () => Promise<number>;
}

/** What came of one attempt at a call. */
interface Attempt {
  readonly answer: WireAnswer;
  readonly envelope: Envelope | undefined;
}

/** Sends a call whose query is signed in this form; waits for its answer until then, Unix ms. */
type Attempting = (form: QueryForm, until: number) => Promise<Attempt>;

/** Signs and sends single calls, and understands their answers. Knows neither caches nor budgets. */
export class ExchangeClient {
  /** The form of the query that this exchange was last seen to verify. */
  #signedForm: QueryForm = "decoded";
  /** What the answers of an endpoint look like, by its name. */
  readonly #parsers = new Map<string, LikeRowsParser>();

  constructor(
    private readonly transport: Transport,
    private readonly clock: Clock,
    readonly exchangeClock: ExchangeClock,
    private readonly options: {
      readonly demo: boolean;
      readonly onSigned?: SignedObserver;
      readonly instrumentation?: Instrumentation | undefined;
    } = { demo: false },
  ) {}

  /**
   * One call. `signer` is needed for private endpoints, not used for public ones, and used where it is given for those
   * that are either. Each attempt is signed with the credentials that the account has at that moment. Throws `Fault`; when
   * the answer was lost on the way its cause is a `TransportFailure`, and otherwise an `Answered`.
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
      const { signedAt, beforeResend } = terms;
      const request = requestOf(endpoint, values);
      const attempt: Attempting = (form, until) =>
        this.#attempt(endpoint, request, form, by?.credentials, until, signedAt ?? this.exchangeClock.now());
      const form = this.#signedForm;
      let made = await attempt(form, deadlineAt);
      if (isAboutSigning(made)) {
        const again = async (other: QueryForm) => attempt(other, (await beforeResend?.()) ?? deadlineAt);
        made = await this.#repeated(endpoint, request, form, made, again);
      }
      const { answer, envelope } = made;
      const { data, unread } = this.#understood(endpoint, answer, envelope);
      if (by !== undefined && signedBy !== undefined) this.options.onSigned?.(by, signedBy, endpoint);
      const { body, status } = answer;
      return {
        data,
        unread,
        body,
        again: againOf(endpoint, answer),
        text: textOf(answer),
        remaining: remainingOf(answer),
        status,
      };
    } catch (error) {
      if (by !== undefined && signedBy !== undefined) this.options.onSigned?.(by, signedBy, endpoint, error);
      throw error;
    }
  }

  /** Tries a read again that was refused for how it was signed. */
  async #repeated(
    endpoint: Endpoint,
    { targets }: PreparedRequest,
    form: QueryForm,
    refused: Attempt,
    again: (form: QueryForm) => Promise<Attempt>,
  ): Promise<Attempt> {
    // The refusal carried the exchange's time, so a read is signed once more by it.
    const mayRepeat = (made: Attempt) => endpoint.method === "GET" && isRefusal(made, REFUSAL.staleTimestamp);
    const first = mayRepeat(refused) ? await again(form) : refused;
    if (!isRefusal(first, REFUSAL.wrongSignature) || targets.decoded === targets.encoded) return first;
    return this.#inOtherForm(form, first, async (other) => {
      const made = await again(other);
      return mayRepeat(made) ? again(other) : made;
    });
  }

  /** Reads the text of an answer that was understood before, by this process or by another one. */
  decode<P extends ParameterSet, D>(endpoint: Endpoint<P, D>, text: string): Pick<Answer<D>, "data" | "unread"> {
    return decoded(endpoint, readEnvelope(text)?.data);
  }

  /** Decides by the envelope's code whenever there is one, by the HTTP status only when there is none. */
  #understood<D>(
    endpoint: Endpoint<ParameterSet, D>,
    answer: WireAnswer,
    envelope: Envelope | undefined,
  ): Pick<Answer<D>, "data" | "unread"> {
    const { unread } = this.options.instrumentation ?? INSTRUMENTATION;
    if (envelope === undefined) throw withoutEnvelope(endpoint, answer);
    if (envelope.code !== SUCCESS) throw refusal(endpoint, envelope, answer.status);
    try {
      const understood = decoded(endpoint, envelope.data);
      for (const error of understood.unread) unread.publish({ source: endpoint.name, error });
      return understood;
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      unread.publish({ source: endpoint.name, error });
      throw unreadable(endpoint.name, error, new Answered(answer.status, { cause: error }));
    }
  }

  /** Repeats a read, once, with the other form of its query signed. The form that is taken is used from then on. */
  async #inOtherForm(form: QueryForm, refused: Attempt, attempt: (form: QueryForm) => Promise<Attempt>): Promise<Attempt> {
    const other = form === "decoded" ? "encoded" : "decoded";
    const second = await attempt(other);
    if (isRefusal(second, REFUSAL.wrongSignature)) return refused;
    if (second.envelope?.code === SUCCESS) this.#signedForm = other;
    return second;
  }

  async #attempt(
    endpoint: Endpoint,
    { targets, body }: PreparedRequest,
    form: QueryForm,
    credentials: Credentials | undefined,
    deadlineAt: number,
    signedAt: number,
  ): Promise<Attempt> {
    const { method } = endpoint;
    const headers = this.#headers(endpoint, targets[form], body, credentials, signedAt);
    const sentAt = this.clock.now();
    let answer: WireAnswer;
    try {
      answer = await this.transport.send({ method, target: targets.encoded, headers, body, deadlineAt });
    } catch (error) {
      if (!(error instanceof TransportFailure)) throw error;
      const code = error.kind === "timeout" ? "EXCHANGE_TIMEOUT" : "EXCHANGE_UNAVAILABLE";
      throw new Fault(code, `${endpoint.name}: ${error.message}`, { endpoint: endpoint.name }, { cause: error });
    }
    const receivedAt = this.clock.now();
    const envelope = envelopeIn(answer, this.#parseOf(endpoint));
    if (envelope?.code === REFUSAL.staleTimestamp.code) this.exchangeClock.reset();
    if (envelope?.requestTime !== undefined) this.exchangeClock.observe(sentAt, receivedAt, envelope.requestTime);
    return { answer, envelope };
  }

  #parseOf({ name }: Endpoint): (text: string) => unknown {
    const parser = this.#parsers.get(name) ?? new LikeRowsParser();
    this.#parsers.set(name, parser);
    return (text) => parser.parse(text);
  }

  /** `target` is signed. */
  #headers(
    endpoint: Endpoint,
    target: string,
    body: string | undefined,
    credentials: Credentials | undefined,
    signedAt: number,
  ): Record<string, string> {
    if (endpoint.access === "private" && credentials === undefined)
      throw new Error(`${endpoint.name} is private and needs an account`);
    const demo = this.options.demo ? DEMO : undefined;
    if (endpoint.access === "public" || credentials === undefined)
      return { ...ACCEPTED, ...(body === undefined ? {} : JSON_TYPE), ...demo };
    const timestamp = String(signedAt);
    const signed = { timestamp, method: endpoint.method, target, ...(body === undefined ? {} : { body }) };
    return {
      ...ACCEPTED,
      ...JSON_TYPE,
      ...demo,
      [HEADERS.key]: credentials.apiKey.reveal(),
      [HEADERS.passphrase]: credentials.passphrase.reveal(),
      [HEADERS.timestamp]: timestamp,
      [HEADERS.sign]: signature(credentials.apiSecret.reveal(), signed),
    };
  }
}

const ACCEPTED = { accept: "application/json", locale: "en-US" };
const JSON_TYPE = { "content-type": "application/json" };
const DEMO = { [HEADERS.demo]: "1" };

/** It is kept for long, and holds on to nothing of the answer but how it is packed. */
function againOf<D>(endpoint: Endpoint<ParameterSet, D>, { headers }: WireAnswer): (body: Buffer) => D {
  const coding = headers["content-encoding"];
  return againAs(endpoint, coding === undefined ? PLAIN : { "content-encoding": coding });
}
const againAs =
  <D>(endpoint: Endpoint<ParameterSet, D>, headers: WireAnswer["headers"]) =>
  (body: Buffer): D =>
    decoded(endpoint, envelopeIn({ body, headers })?.data).data;
const PLAIN: WireAnswer["headers"] = {};

const textOf = (answer: WireAnswer) => (): string => textIn(answer) ?? "";

const isAboutSigning = (made: Attempt): boolean =>
  isRefusal(made, REFUSAL.staleTimestamp) || isRefusal(made, REFUSAL.wrongSignature);

const isRefusal = ({ envelope }: Attempt, { code }: Refusal): boolean => envelope?.code === code;

/** The parameters of a call as they travel: a read has them in its query, a write in its body. */
function requestOf<P extends ParameterSet>(endpoint: Endpoint<P>, values: Values<P>): PreparedRequest {
  const { method, path } = endpoint;
  const parameters = encoded(endpoint, values);
  if (method === "POST") return { targets: { decoded: path, encoded: path }, body: JSON.stringify(parameters) };
  const target = (form: QueryForm): string => {
    const query = queryString(parameters, form);
    return query === "" ? path : `${path}?${query}`;
  };
  return { targets: { decoded: target("decoded"), encoded: target("encoded") }, body: undefined };
}

/** Reads the data. A row that cannot be read costs itself alone, and says to whoever is shown it what is wrong. */
function decoded<D>({ name, data: codec }: Endpoint<ParameterSet, D>, wire: unknown): Pick<Answer<D>, "data" | "unread"> {
  const unread: WireError[] = [];
  const data = codec.decode(wire, unread);
  for (const row of unread) row.of(name, unreadable(name, row).extensions);
  return { data, unread };
}

function remainingOf(answer: WireAnswer): number | undefined {
  const header = answer.headers[HEADERS.remaining];
  return typeof header === "string" && /^\d{1,9}$/.test(header) ? Number.parseInt(header, 10) : undefined;
}
