import "graphiql/setup-workers/vite";
import { GraphiQL, HISTORY_PLUGIN } from "graphiql";
import { createRoot } from "react-dom/client";
import { builderPlugin } from "./builder.js";
import { fetcher } from "./fetcher.js";
import { Gate } from "./gate.js";
import { sessionPlugin } from "./panel.js";
import { tabs } from "./tabs.js";
import "graphiql/style.css";

/** What a link wants to show: `#query=…&variables=…`. The part of an address behind `#` is sent to nobody. */
const wanted = new URLSearchParams(window.location.hash.slice(1));
const query = wanted.get("query");

const root = document.getElementById("graphiql");
if (root === null) throw new Error("the page has no place for GraphiQL");
createRoot(root).render(
  <Gate>
    <GraphiQL
      fetcher={fetcher}
      defaultTabs={tabs}
      plugins={[builderPlugin, HISTORY_PLUGIN, sessionPlugin]}
      {...(query === null ? {} : { initialQuery: query, initialVariables: wanted.get("variables") ?? "" })}
    />
  </Gate>,
);
