import "graphiql/setup-workers/vite";
import { createGraphiQLFetcher } from "@graphiql/toolkit";
import { GraphiQL } from "graphiql";
import { createRoot } from "react-dom/client";
// biome-ignore lint/correctness/useImportExtensions: the extension is there, before the bundler's word for "as text"
import firstQuery from "./firstQuery.graphql?raw";
import "graphiql/style.css";

/** Queries and mutations over HTTP, subscriptions over a WebSocket, both at this page's own server. */
const url = new URL("/graphql", window.location.href);
const subscriptionUrl = new URL(url);
subscriptionUrl.protocol = url.protocol === "https:" ? "wss:" : "ws:";

const fetcher = createGraphiQLFetcher({
  url: url.href,
  subscriptionUrl: subscriptionUrl.href,
  enableIncrementalDelivery: false,
});

/** What a link wants to show: `#query=…&variables=…`. The part of an address behind `#` is sent to nobody. */
const wanted = new URLSearchParams(window.location.hash.slice(1));
const query = wanted.get("query");

const root = document.getElementById("graphiql");
if (root === null) throw new Error("the page has no place for GraphiQL");
createRoot(root).render(
  <GraphiQL
    fetcher={fetcher}
    defaultQuery={firstQuery}
    {...(query === null ? {} : { initialQuery: query, initialVariables: wanted.get("variables") ?? "" })}
  />,
);
