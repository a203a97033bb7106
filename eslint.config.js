import graphql from "@graphql-eslint/eslint-plugin";

const documents = ["docs/examples/*.graphql", "apps/graphiql/*.graphql"];
const { configs } = graphql;

/**
 * What GraphQL clients expect of the schema, and of the documents that front ends copy. Everything that is not GraphQL is
 * Biome's.
 */
export default [
  {
    files: ["**/*.graphql"],
    plugins: { "@graphql-eslint": graphql },
    languageOptions: {
      parser: graphql.parser,
      parserOptions: { graphQLConfig: { schema: "schema.graphql", documents } },
    },
  },
  {
    files: ["schema.graphql"],
    rules: {
      ...configs["flat/schema-recommended"].rules,
      ...configs["flat/schema-relay"].rules,
      // The exchange lists forwards alone: there is no `last` and no `before`.
      "@graphql-eslint/relay-arguments": ["error", { includeBoth: false }],
      "@graphql-eslint/relay-edge-types": [
        "error",
        {
          withEdgeSuffix: true,
          // Records that the exchange gives no identifier, such as repayments, have none here.
          shouldImplementNode: false,
          // A list that cannot grow without bound is a plain list, and a connection has `nodes` beside `edges`.
          listTypeCanWrapOnlyEdgeType: false,
        },
      ],
      // The exchange's own words: `Order.orderId`, `Order.orderType`.
      "@graphql-eslint/no-typename-prefix": "off",
      // What cannot be asked for again has no identifier. What a cache keys it by is in docs/graph.md.
      "@graphql-eslint/strict-id-in-types": "off",
    },
  },
  {
    files: documents,
    rules: {
      ...configs["flat/operations-all"].rules,
      // Fields stand in the order in which a screen shows them.
      "@graphql-eslint/alphabetize": "off",
      // A file is named for what is to be seen, an operation for the screen.
      "@graphql-eslint/match-document-filename": "off",
    },
  },
];
