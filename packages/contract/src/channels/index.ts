import * as account from "./account.js";
import * as book from "./book.js";
import * as candle from "./candle.js";
import type { Argument, Channel } from "./channel.js";
import * as fill from "./fill.js";
import * as liquidation from "./liquidation.js";
import * as order from "./order.js";
import * as plan from "./plan.js";
import * as position from "./position.js";
import * as publicTrade from "./publicTrade.js";
import * as ticker from "./ticker.js";

const isChannel = (value: unknown): value is Channel =>
  typeof value === "object" && value !== null && "parameters" in value && "argument" in value && "item" in value;

/** Every known channel of the exchange, of both API versions: all exports of these files, alone or in lists. */
export const channels: readonly Channel[] = [
  account,
  book,
  candle,
  fill,
  liquidation,
  order,
  plan,
  position,
  publicTrade,
  ticker,
].flatMap((area: object) => Object.values(area).flat().filter(isChannel));

/** The channel of an argument on a socket of this API version and access; undefined if there is none. */
export const channelFor = (socket: Pick<Channel, "apiVersion" | "access">, argument: Argument): Channel | undefined =>
  channels.find(
    (channel) =>
      channel.apiVersion === socket.apiVersion && channel.access === socket.access && channel.parameters(argument) !== undefined,
  );
