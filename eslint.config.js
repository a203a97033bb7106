import graphql from "@graphql-eslint/eslint-plugin";

const documents = ["docs/examples/*.graphql", "apps/graphiql/*.graphql"];
const { configs } = graphql;

/**
 * Rules for the GraphQL schema and for the GraphQL documents of the examples and of GraphiQL. Biome lints all other files.
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
      // The exchange supports forward pagination only: there is no `last` and no `before`.
      "@graphql-eslint/relay-arguments": ["error", { includeBoth: false }],
      "@graphql-eslint/relay-edge-types": [
        "error",
        {
          withEdgeSuffix: true,
          // Records without an identifier at the exchange, such as repayments, have no `id`.
          shouldImplementNode: false,
          // Bounded lists are plain lists, and connections have `nodes` beside `edges`.
          listTypeCanWrapOnlyEdgeType: false,
        },
      ],
      // Names of the exchange: `Order.orderId`, `Order.orderType`.
      "@graphql-eslint/no-typename-prefix": "off",
      // Objects that cannot be queried again have no `id`. docs/graph.md lists their cache keys.
      "@graphql-eslint/strict-id-in-types": "off",
    },
  },
  {
    files: documents,
    rules: {
      ...configs["flat/operations-all"].rules,
      // Fields are in the order in which a screen shows them.
      "@graphql-eslint/alphabetize": "off",
      // Files are named after the content, operations after the screen.
      "@graphql-eslint/match-document-filename": "off",
    },
  },
];
