import { type DataSource, RequestReads, RequestWrites } from "../../src/datasources/index.js";

/** The writes of one request on this exchange. `author`: its client. Default: none. */
export const writesOn = (exchange: DataSource, author?: RequestWrites["author"]): RequestWrites =>
  new RequestWrites(exchange.writes, new RequestReads(exchange), author);
