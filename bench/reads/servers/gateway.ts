import { report } from "../../child.js";
import { startGateway } from "../../gateway.js";
import { exchangeOver } from "../exchange.js";

/** The gateway as `npm start` composes it. */
const [upstream = ""] = process.argv.slice(2);
report(`${await startGateway(exchangeOver(upstream))}/graphql`);
