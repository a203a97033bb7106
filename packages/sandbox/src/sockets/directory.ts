import { type Argument, type Channel, keyOf } from "@exchange-graph/contract/channels/channel";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import type { Accounts } from "../world/accounts.js";
import { isUnified } from "../world/funds/wallets.js";
import type { Subject, TopicFeed } from "./feeds/topicFeed.js";
import { SOCKET_REFUSAL, type SocketRefusal, unknownArgument } from "./socketMessages.js";

/** Kind of a connection: one of the four sockets. */
export type SocketKind = Pick<Channel, "apiVersion" | "access">;

/** The subject of an argument, or the refusal with its operation. */
type Found = { readonly subject: Subject; readonly key: string } | { readonly refusal: SocketRefusal; readonly op?: string };

/** The available subscriptions, and who may use them. */
export class Directory {
  constructor(
    private readonly feeds: readonly TopicFeed[],
    private readonly accounts: Accounts,
  ) {}

  find(kind: SocketKind, argument: Argument): Found {
    const subject = this.#subject(kind, argument);
    if (subject !== undefined) return { subject, key: keyOf(subject.argument) };
    const isOnlyInterval = this.#subject(kind, withKnownInterval(argument)) !== undefined;
    return isOnlyInterval
      ? { refusal: SOCKET_REFUSAL.badParameter, op: "subscribe" }
      : { refusal: unknownArgument(kind.apiVersion, argument) };
  }

  /** As for calls, each API version serves the accounts of its own mode, and none that is changing its mode. */
  modeRefusal({ apiVersion }: Channel, uid: string): SocketRefusal | undefined {
    const account = this.accounts.of(uid);
    if (account.mode === "upgrading" || account.mode === "switching") return asRefusal(REFUSAL.accountChanging);
    if (isUnified(account)) return apiVersion === "v2" ? asRefusal(REFUSAL.unifiedAccount) : undefined;
    return apiVersion === "v3" ? asRefusal(REFUSAL.classicAccount) : undefined;
  }

  #subject({ apiVersion, access }: SocketKind, argument: Argument): Subject | undefined {
    for (const { channel, subject } of this.feeds) {
      const found = channel.apiVersion === apiVersion && channel.access === access ? subject(argument) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

const asRefusal = ({ code, msg }: { readonly code: string; readonly msg: string }): SocketRefusal => ({
  code: Number.parseInt(code, 10),
  msg,
});

/** The same argument, with an interval for which candles exist. */
const withKnownInterval = (argument: Argument): Argument =>
  argument.topic === "kline"
    ? { ...argument, interval: "1m" }
    : argument.channel?.startsWith("candle")
      ? { ...argument, channel: "candle1m" }
      : argument;
