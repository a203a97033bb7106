import { writeFileSync } from "node:fs";
import { buildGraph } from "../resolvers/index.js";
import { printGraph } from "../schema/printGraph.js";

const text = printGraph(buildGraph());

const [file] = process.argv.slice(2);
if (file === undefined) process.stdout.write(text);
else writeFileSync(file, text);
