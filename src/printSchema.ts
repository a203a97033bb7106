import { writeFileSync } from "node:fs";
import { lexicographicSortSchema, printSchema } from "graphql";
import { buildGraph } from "./resolvers/index.js";

/** The graph as text, in an order that does not depend on the order of the code. */
const text = `${printSchema(lexicographicSortSchema(buildGraph()))}\n`;

const [file] = process.argv.slice(2);
if (file === undefined) process.stdout.write(text);
else writeFileSync(file, text);
