import { graphql, type ResultOf } from "../../graph/document.js";
import type { DataFeed } from "../../graph/feed.js";

export const HealthOf = graphql(`
  query HealthOf {
    exchange {
      time
      clockSkewMs
      cache {
        hits
        misses
        hitRatio
      }
      budgets {
        endpoint
        counter
        limit
        left
        waiting
        windowMs
      }
      sharedCounters {
        counter
        share
        noticedTime
      }
      breakers {
        endpoint
        account
        status
      }
      streams {
        stream
        topics
        live
      }
      connections {
        apiVersion
        account
        status
        topics
      }
      halts {
        account
        by
        reason
        startTime
      }
    }
  }
`);

/** State of the connection to the exchange. */
export type Exchange = ResultOf<typeof HealthOf>["exchange"];
export type HealthFeed = DataFeed<ResultOf<typeof HealthOf>>;
