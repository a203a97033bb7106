import { writeFileSync } from "node:fs";
import { lexicographicSortSchema, printSchema } from "graphql";
import { buildGraph } from "../resolvers/index.js";

/** The schema in SDL, sorted, so that the order of the code does not matter. */
const text = `${printSchema(lexicographicSortSchema(buildGraph()))}\n`;

const [file] = process.argv.slice(2);
if (file === undefined) process.stdout.write(text);
else writeFileSync(file, text);
