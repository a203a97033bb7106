import { Args, Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import type { ExchangeAccount } from "../../datasources/index.js";
import {
  DEFAULT_FIRST,
  identityUnder,
  isCursorLike,
  keptSpan,
  MAX_ITEMS,
  notACursor,
  type TimelineSource,
  timeline,
  windowsAtMost,
} from "../../datasources/reads/index.js";
import { Account } from "../../schema/account.js";
import { ActivityConnection } from "../../schema/activity.js";
import { Cost, type FieldCost } from "../../schema/cost.js";
import { ActivityKind } from "../../schema/enums/activity.js";
import { ProductCategoryInput } from "../../schema/enums/category.js";
import { integer, listOf, texts, time } from "../../schema/fields.js";
import { bounded } from "../../schema/listLengths.js";
import { Arguments, extended } from "../../schema/record.js";
import { RequiresScope } from "../../schema/requiresScope.js";
import { connectionFrom } from "../connection.js";
import type { RequestContext } from "../context.js";
import { PageArguments, partial } from "../pageArguments.js";
import type { ActivityItem, ActivityList } from "./activityList.js";
import { activityCalls, isFiltered, listsFor } from "./activityLists.js";

@Arguments()
class ActivityArguments extends extended(PageArguments, {
  first: integer.optional(`Number of items, from 1 to ${MAX_ITEMS}. Default: ${DEFAULT_FIRST}`, DEFAULT_FIRST),
  kinds: listOf(ActivityKind, Object.keys(ActivityKind).length).optional(
    "Only these kinds; each takes the calls of its lists. Default: all but those of sub-accounts",
  ),
  categories: listOf(ProductCategoryInput, 5).optional(
    "Only orders, executions and trigger orders in these product categories; other kinds have none and are left out. Default: all",
  ),
  symbols: texts.optional(
    "Only orders, executions and trigger orders in these symbols; other kinds have none and are left out. Default: all",
  ),
  from: time.optional("Only items from this time on. Default: the last 90 days"),
  to: time.optional("Only items up to this time. Default: now"),
}) {}

/** Most lists are answered in at most three windows: of 30 days each. */
const MANY_WINDOWS = 4;

const isRefused = (after: unknown): boolean => typeof after === "string" && !isCursorLike(after);

const ACTIVITY: FieldCost = {
  refused: ({ after }) => isRefused(after),
  calls: activityCalls,
  rows: ({ first }) => bounded(first, 20, MAX_ITEMS),
};

@Resolver(() => Account)
export class ActivityResolver {
  @RequiresScope("read:account")
  @Cost(ACTIVITY)
  @FieldResolver(() => ActivityConnection, {
    nullable: true,
    description: `What has happened on the account, newest first and complete within 90 days: orders, executions, trigger orders, conversions, loans, earn records, deposits, withdrawals, transfers and writes through this gateway. A list that cannot be read is a null item with the reason in \`errors\`, before the others. Transfers of a Classic account are those of USDT, USDC and each coin that has entered or left its spot account by a transfer, 40 coins at most. Source: as the account's lists of these`,
  })
  async activity(
    @Root() account: ExchangeAccount,
    @Ctx() context: RequestContext,
    @Args(() => ActivityArguments) { kinds, categories, symbols, from, to, ...page }: ActivityArguments,
  ): Promise<ActivityConnection> {
    const { reads } = context;
    // Refused before a divided list reads its parts.
    if (isRefused(page.after)) throw notACursor();
    const mode = await reads.modeOf(account);
    const span = keptSpan(reads, { from, to });
    const endsNow = (to ?? page.after ?? undefined) === undefined;
    const filter = { kinds, categories, symbols };
    const symbol = symbols?.length === 1 ? symbols[0] : undefined;
    const isMeant = ({ symbol, category }: ActivityItem): boolean =>
      (symbols ?? null) === null && (categories ?? null) === null
        ? true
        : (symbols ?? [symbol]).some(
            (one) => one !== undefined && symbol !== undefined && one.toUpperCase() === symbol.toUpperCase(),
          ) && (categories ?? [category]).some((one) => one === category);
    const parts = listsFor(mode, filter).map(async (list): Promise<readonly ActivityList[]> => {
      if (!("parts" in list)) return [list];
      // If its parts cannot be read, the list itself cannot be read.
      return list.parts(context, account, span).catch((error: unknown) => [{ ...list, read: () => Promise.reject(error) }]);
    });
    const sources = (await Promise.all(parts)).flat().map(
      (list): TimelineSource<ActivityItem & { readonly kind: ActivityKind }> => ({
        name: list.name,
        isFiltered: isFiltered(list, filter),
        isInShortWindows:
          list.pages !== undefined &&
          windowsAtMost(list.pages, { ...span, hasCursor: false, category: list.category }, mode, reads.now()) > MANY_WINDOWS,
        page: async (args) => {
          const isLatest = endsNow && args.to === span.to;
          const { rows, hasNextPage } = await list.read(context, account, { ...args, symbol, isLatest });
          const meant = rows
            .filter(({ row }) => row instanceof Error || isMeant(row))
            .map(({ row, cursor }) => ({ row: row instanceof Error ? row : { ...row, kind: list.kind }, cursor }));
          // The next page continues after the last row, also if the filter leaves that row out.
          return { rows: meant, hasNextPage, ...(rows.length > 0 && { endCursor: rows.at(-1)?.cursor }) };
        },
        timeOf: (row) => row.time,
        keyOf: (row) => row.key,
      }),
    );
    const identity = identityUnder(context.reads.identitiesOf(account), (owner) =>
      JSON.stringify(["activity", owner, kinds, categories, symbols, from, to]),
    );
    const { rows, unread, ...slice } = await timeline(identity, sources, span, partial(page));
    return connectionFrom(
      {
        ...slice,
        rows: [
          ...unread,
          ...rows.map(({ row: { row, time }, cursor }) => ({ row: row instanceof Error ? row : { ...row, time }, cursor })),
        ],
      },
      page.after,
      ({ kind, time, record }) => ({ kind, time: time ?? 0, record }),
    );
  }
}
