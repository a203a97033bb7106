import type { Endpoint } from "@exchange-graph/contract/endpoint";
import { LikeRowsParser } from "@exchange-graph/contract/likeRows";
import type { ParameterSet } from "@exchange-graph/contract/parameter";
import type { Finding } from "@exchange-graph/contract/wireError";
import { envelopeIn, errorsIn, type PackedBody } from "./answers.js";
import type { WireAnswer } from "./transport.js";

/** Reads the answers of one endpoint. */
export class AnswerReader {
  readonly #rows = new LikeRowsParser();

  constructor(private readonly endpoint: Endpoint) {}

  /** Like `parseJson`, and faster for answers of the same shape as earlier ones. */
  readonly parse = (text: string): unknown => this.#rows.parse(text);

  /**
   * Returns a function that decodes such a body again. The cache keeps it, so it refers to nothing of the answer but its content
   * coding; answers without one share it.
   */
  againOf({ headers }: WireAnswer): (body: Buffer) => unknown {
    const coding = headers["content-encoding"];
    return coding === undefined ? this.#plainAgain : (body) => this.#again({ body, headers: { "content-encoding": coding } });
  }

  readonly #plainAgain = (body: Buffer): unknown => this.#again({ body, headers: {} });

  #again(packed: PackedBody): unknown {
    const { data, found } = decoded(this.endpoint, envelopeIn(packed)?.data);
    errorsIn(this.endpoint.name, found);
    return data;
  }
}

/** Decodes the data. A row that cannot be decoded affects itself only; its place has the error. */
export function decoded<D>({ data: codec }: Endpoint<ParameterSet, D>, wire: unknown): { data: D; found: readonly Finding[] } {
  const found: Finding[] = [];
  return { data: codec.decode(wire, found), found };
}
