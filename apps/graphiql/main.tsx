import "graphiql/setup-workers/vite";
import { GraphiQL, HISTORY_PLUGIN } from "graphiql";
import { createRoot } from "react-dom/client";
import { builderPlugin } from "./builder.js";
import { fetcher } from "./fetcher.js";
import { Gate } from "./gate.js";
import { sessionPlugin } from "./panel.js";
import { tabs } from "./tabs.js";
import "graphiql/style.css";

/** The document of a link: `#query=…&variables=…`. The fragment of a URL is not sent to a server. */
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
