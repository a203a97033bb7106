import { graphql } from "./document.js";

/** What every write returns: documents that name this fragment import this module. */
graphql(`
  fragment Written on WritePayload {
    outcome
    userErrors {
      code
      message
      field
      isRetryable
    }
  }
`);
