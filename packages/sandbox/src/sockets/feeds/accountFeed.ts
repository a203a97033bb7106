import type { FuturesMarket } from "@exchange-graph/contract/channels/arguments";
import type { Channel } from "@exchange-graph/contract/channels/channel";
import type { FuturesCategory, ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { State } from "../../world/state.js";
import type { WorldEvent } from "../../world/worldEvents.js";
import type { MarketSource, TopicFeed } from "./topicFeed.js";

/** The events of an account, pushed one by one. `render` gives what is pushed of an event; nothing where it is none of this channel's. */
export const happenings = (render: (event: WorldEvent) => unknown): MarketSource => ({
  notice(event) {
    const row = render(event);
    return row === undefined ? undefined : JSON.stringify([row]);
  },
});

/** State of an account: a snapshot, then, as of the end of the call that changed it, what has changed. */
export class ChangingState<T> implements MarketSource {
  readonly #changed = new Map<string, T>();

  /** `changeBy`: the part that an event changes, with its key. `rows`: what is pushed, if anything; without `changed` the snapshot. */
  constructor(
    private readonly changeBy: (event: WorldEvent) => readonly [key: string, part: T] | undefined,
    private readonly rows: (changed?: readonly T[]) => readonly unknown[] | undefined,
  ) {}

  opening(): string {
    return JSON.stringify(this.rows() ?? []);
  }

  notice(event: WorldEvent): undefined {
    const change = this.changeBy(event);
    if (change !== undefined) this.#changed.set(...change);
    return undefined;
  }

  advance(): string | undefined {
    if (this.#changed.size === 0) return undefined;
    const changed = [...this.#changed.values()];
    this.#changed.clear();
    const rows = this.rows(changed);
    return rows && JSON.stringify(rows);
  }
}

/** Scope of a v2 subscription: one symbol, one coin, or all of a product. */
interface AccountScope<C extends ProductCategory> {
  readonly uid: string;
  readonly category: C;
  readonly covers: (name: string) => boolean;
}

const EVERYTHING = "default";
const SCOPES = ["instId", "coin"] as const;

/** A v2 channel of an account, about a category that `categoryOf` finds in its parameters. */
const classicFeed = <P extends object, C extends ProductCategory>(
  { catalogue }: State,
  channel: Channel<P>,
  categoryOf: (parameters: P) => C,
  follow: (scope: AccountScope<C>) => MarketSource,
): TopicFeed => ({
  channel,
  subject(argument) {
    const scope = SCOPES.find((name) => argument[name] !== undefined);
    const parameters = scope && channel.parameters({ ...argument, [scope]: EVERYTHING });
    if (scope === undefined || parameters === undefined) return undefined;
    const only = argument[scope] ?? EVERYTHING;
    const category = categoryOf(parameters);
    const isKnown = scope === "coin" ? catalogue.coins.includes(only) : catalogue.find(category, only)?.symbol === only;
    if (only !== EVERYTHING && !isKnown) return undefined;
    return {
      channel,
      argument: { ...channel.argument(parameters), [scope]: only },
      periodMs: undefined,
      follow: (uid) => follow({ uid, category, covers: (name) => only === EVERYTHING || name === only }),
    };
  },
});

/** The feed of a v2 private channel about spot. */
export const classicSpotFeed = (state: State, channel: Channel, follow: (scope: AccountScope<"SPOT">) => MarketSource) =>
  classicFeed(state, channel, () => "SPOT", follow);

/** The feed of a v2 private channel about one futures product type. */
export const classicFuturesFeed = (
  state: State,
  channel: Channel<FuturesMarket>,
  follow: (scope: AccountScope<FuturesCategory>) => MarketSource,
) => classicFeed(state, channel, ({ category }) => category, follow);

/** Whether an order, fill or trigger order is in the scope of a subscription. */
export const isIn =
  ({ uid, category, covers }: AccountScope<ProductCategory>) =>
  (row: { readonly uid: string; readonly category: ProductCategory; readonly symbol: string }): boolean =>
    row.uid === uid && row.category === category && covers(row.symbol);
