import firstQuery from "./firstQuery.graphql?raw";

const examples = import.meta.glob<string>("../../docs/examples/*.graphql", { query: "?raw", import: "default", eager: true });

/** One document per screen, then a mutation and a subscription. */
const SHOWN = ["portfolio", "trading", "market", "risk", "loans", "earn", "convert", "broker", "place-order", "watch-ticker"];

/** The initial tabs of the page. */
export const tabs = [
  firstQuery,
  ...SHOWN.map((name) => {
    const text = examples[`../../docs/examples/${name}.graphql`];
    if (text === undefined) throw new Error(`there is no example ${name}`);
    return text;
  }),
].map((query) => ({ query }));
