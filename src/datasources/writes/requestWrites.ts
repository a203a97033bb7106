import type { RequestReads } from "../reads/index.js";
import type { WriteAuthor } from "./write.js";
import type { Writes } from "./writes.js";

/** The writes of one request, with the reads that plan them. */
export class RequestWrites {
  constructor(
    readonly writes: Writes,
    readonly reads: RequestReads,
    /** The client that writes. Default: none. */
    readonly author?: WriteAuthor,
  ) {}
}
