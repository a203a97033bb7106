import {
  classicPositionsChannel,
  classicPositionsHistoryChannel,
  positionChannel,
} from "@exchange-graph/contract/channels/position";
import { pushedClosed } from "../../handlers/wire/position.js";
import { ZERO } from "../../world/ledger.js";
import type { Position } from "../../world/positions/position.js";
import type { State } from "../../world/state.js";
import { classicPosition, endedPosition, unifiedPosition } from "../wire/position.js";
import { ChangingState, classicFuturesFeed, classicFuturesWholeFeed, happenings } from "./accountFeed.js";
import { type TopicFeed, wholeFeed } from "./topicFeed.js";

export const positionFeeds = (state: State): readonly TopicFeed[] => [
  // All positions, then those that have changed or ended.
  wholeFeed(
    positionChannel,
    (uid) =>
      new ChangingState<Position>(
        (event) =>
          event.kind === "position" && event.position.uid === uid ? [event.position.positionId, event.position] : undefined,
        (changed = [...state.positions.open(uid)]) =>
          changed.map((position) => (position.size.eq(ZERO) ? endedPosition(state, position) : unifiedPosition(state, position))),
      ),
  ),
  // Always all positions of the category: one that is missing from the list has ended.
  classicFuturesFeed(state, classicPositionsChannel, ({ uid, covers, category }) => {
    const isMeant = (position: Position) => position.uid === uid && position.category === category && covers(position.symbol);
    return new ChangingState(
      (event) => (event.kind === "position" && isMeant(event.position) ? ["all", undefined] : undefined),
      () => [...state.positions.open(uid)].filter(isMeant).map((position) => classicPosition(state, position)),
    );
  }),
  classicFuturesWholeFeed(classicPositionsHistoryChannel, (uid, category) =>
    happenings((event) => {
      const isMeant = event.kind === "positionClosed" && event.position.uid === uid && event.position.category === category;
      return isMeant ? pushedClosed(event.position) : undefined;
    }),
  ),
];
