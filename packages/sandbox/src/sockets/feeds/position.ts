import {
  classicPositionsChannel,
  classicPositionsHistoryChannel,
  positionChannel,
} from "@exchange-graph/contract/channels/position";
import type { FuturesCategory } from "@exchange-graph/contract/vocabulary";
import { ZERO } from "../../world/ledger.js";
import type { Position } from "../../world/positions/position.js";
import type { State } from "../../world/state.js";
import type { WorldEvent } from "../../world/worldEvents.js";
import { classicPosition, closedPosition, endedPosition, unifiedPosition } from "../wire/position.js";
import { classicFuturesFeed, classicFuturesWholeFeed, type FeedScope, Happenings, unifiedFeed } from "./accountFeed.js";
import type { MarketSource, TopicFeed } from "./topicFeed.js";

/** Positions, as of the end of the call that changed them. */
export const positionFeeds = (state: State): readonly TopicFeed[] => [
  unifiedFeed(positionChannel, (uid) => new UnifiedPositions(state, uid)),
  classicFuturesFeed(
    state,
    classicPositionsChannel,
    ({ uid, covers, category }) => new ClassicPositions(state, uid, category, covers),
  ),
  classicFuturesWholeFeed(classicPositionsHistoryChannel, (uid, category) => closedPositions(uid, category)),
];

const closedPositions = (uid: string, category: FuturesCategory): MarketSource =>
  new Happenings((event) =>
    event.kind === "positionClosed" && event.position.uid === uid && event.position.category === category
      ? closedPosition(event.position)
      : undefined,
  );

/** All positions, then those that have changed or ended. */
class UnifiedPositions implements MarketSource {
  readonly #changed = new Map<string, Position>();

  constructor(
    private readonly state: State,
    private readonly uid: string,
  ) {}

  opening(): string {
    return JSON.stringify([...this.state.positions.open(this.uid)].map((position) => unifiedPosition(this.state, position)));
  }

  notice(event: WorldEvent): undefined {
    if (event.kind === "position" && event.position.uid === this.uid) {
      this.#changed.set(event.position.positionId, event.position);
    }
    return undefined;
  }

  advance(): string | undefined {
    if (this.#changed.size === 0) return undefined;
    const changed = [...this.#changed.values()];
    this.#changed.clear();
    return JSON.stringify(
      changed.map((position) =>
        position.size.eq(ZERO) ? endedPosition(this.state, position) : unifiedPosition(this.state, position),
      ),
    );
  }
}

/** Always all positions of the category: one that is missing from the list has ended. */
class ClassicPositions implements MarketSource {
  #hasChanged = false;

  constructor(
    private readonly state: State,
    private readonly uid: string,
    private readonly category: FuturesCategory,
    private readonly covers: FeedScope,
  ) {}

  opening(): string {
    const open = [...this.state.positions.open(this.uid)].filter((position) => this.#isMeant(position));
    return JSON.stringify(open.map((position) => classicPosition(this.state, position)));
  }

  notice(event: WorldEvent): undefined {
    if (event.kind === "position" && this.#isMeant(event.position)) this.#hasChanged = true;
    return undefined;
  }

  advance(): string | undefined {
    if (!this.#hasChanged) return undefined;
    this.#hasChanged = false;
    return this.opening();
  }

  #isMeant({ uid, category, symbol }: Position): boolean {
    return uid === this.uid && category === this.category && this.covers(symbol);
  }
}
