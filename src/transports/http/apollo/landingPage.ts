import type { ApolloServerPlugin } from "@apollo/server";

/** What a browser shows at the address of the graph: Apollo's landing page with a link to GraphiQL. */
export const landingPage: ApolloServerPlugin = {
  serverWillStart: async () => ({
    renderLandingPage: async () => ({
      html: `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>GraphQL: exchange-graph</title>
  </head>
  <body>
    <h1>GraphQL is served here</h1>
    <p>Programs send their operations to this address. <a href="/graphiql">GraphiQL</a> explores the graph in a browser.</p>
  </body>
</html>
`,
    }),
  }),
};
