import { Ctx, Query, Resolver } from "type-graphql";
import { ADDRESS_COUNTER } from "../datasources/scheduler/counterOf.js";
import { exact, plain } from "../decimal.js";
import { type CacheUse, Exchange } from "../schema/exchange.js";
import { Needs } from "../schema/needs.js";
import type { RequestContext } from "./context.js";

/** Accounts for which this is not granted are left out. */
const OPERATING = "admin";

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
  @Needs(OPERATING)
  @Query(() => Exchange, { description: "How things stand with the exchange: clock, budgets, breakers, cache. Asks nobody" })
  exchange(@Ctx() { asker: { rights }, reads }: RequestContext): Exchange {
    reads.trace.markFleeting();
    const { clock, scheduler, reader, cache, modes } = reads.exchange;
    const accounts = reads.exchange.accounts.filter(({ name }) => rights.on(OPERATING, name));
    const counters = new Set([ADDRESS_COUNTER, ...accounts.map(({ name }) => name)]);
    return {
      time: clock.now(),
      clockOffsetMs: clock.isKnown ? clock.offsetMs : null,
      accounts: accounts.map((account) => ({ name: account.name, mode: modes.known(account) ?? null })),
      budgets: [scheduler.overall(), ...scheduler.lanes().filter(({ counter }) => counters.has(counter))],
      breakers: reader.breakers(),
      cache: cacheUse(cache.counts),
    };
  }
}
