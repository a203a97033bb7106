import { frontEnd } from "@exchange-graph/client/codegen";
import type { CodegenConfig } from "@graphql-codegen/cli";

const EXAMPLES = "docs/examples/*.graphql";

/** Typed documents from the committed schema: of the examples for the client's users and for the tests, and of the desk. */
const config: CodegenConfig = {
  schema: "schema.graphql",
  generates: {
    "packages/client/src/documents/": { documents: EXAMPLES, ...frontEnd({ trustedDocuments: true }) },
    // The manifest for TRUSTED_DOCUMENTS: test/generated/persisted-documents.json.
    "test/generated/": {
      documents: [EXAMPLES, "apps/graphiql/firstQuery.graphql"],
      ...frontEnd({ documentMode: "documentNode", trustedDocuments: true }),
    },
    // Types alone: the page sends the texts as they stand in its sources.
    "apps/desk/src/graph/generated/": { documents: "apps/desk/src/**/*.{ts,tsx}", ...frontEnd() },
  },
};

export default config;
