import { graphql } from "../graph/document.js";
import { useRead } from "../graph/useRead.js";

const HaltsOf = graphql(`
  query HaltsOf {
    accounts {
      name
      halt {
        account
        startTime
        reason
      }
    }
  }
`);

const EVERY_MS = 3_000;

/** The accounts with their halts of trading. They are read again at once after a write or an interruption. */
export const useHalts = () => useRead(HaltsOf, {}, { everyMs: EVERY_MS }).data?.accounts ?? [];
