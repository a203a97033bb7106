import { Ctx, Query, Resolver } from "type-graphql";
import { exact, plain } from "../decimal.js";
import { type CacheUse, Exchange } from "../schema/exchange.js";
import type { RequestContext } from "./context.js";

const RATIO_DECIMALS = 4;

function hitRatio(hits: number, misses: number): string | null {
  const asked = exact(String(hits)).plus(String(misses));
  return asked.eq("0") ? null : plain(exact(String(hits)).div(asked).round(RATIO_DECIMALS));
}

const cacheUse = ({ hits, misses }: { readonly hits: number; readonly misses: number }): CacheUse => ({
  hits: String(hits),
  misses: String(misses),
  hitRatio: hitRatio(hits, misses),
});

@Resolver(() => Exchange)
export class ExchangeResolver {
  @Query(() => Exchange, { description: "How things stand with the exchange: clock, budgets, breakers, cache. Asks nobody" })
  exchange(@Ctx() { reads }: RequestContext): Exchange {
    reads.trace.markFleeting();
    const { accounts, clock, scheduler, reader, cache, modes } = reads.exchange;
    return {
      time: clock.now(),
      clockOffsetMs: clock.isKnown ? clock.offsetMs : null,
      accounts: accounts.map((account) => ({ name: account.name, mode: modes.known(account) ?? null })),
      budgets: scheduler.lanes(),
      breakers: reader.breakers(),
      cache: cacheUse(cache.counts),
    };
  }
}
