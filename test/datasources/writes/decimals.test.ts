import { execute, GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLSchema, parse } from "graphql";
import { describe, expect, it } from "vitest";
import { decimal, list, record } from "../../../src/contract/codec.js";
import { encoded, endpoint, perSecond } from "../../../src/contract/endpoint.js";
import { readEnvelope } from "../../../src/contract/envelope.js";
import { amount, required, structure } from "../../../src/contract/parameter.js";
import { type DecimalText, exact, plain } from "../../../src/decimal.js";
import { asServed, readParameters } from "../../../src/sandbox/http/parameters.js";
import { randomOf } from "../../../src/sandbox/world/random.js";
import { Decimal } from "../../../src/schema/scalars.js";

const DECIMALS = 1_000_000;
const PER_CALL = 2_000;

const rule = amount("any");
const amounts = (wire: unknown): readonly DecimalText[] | undefined => {
  if (!Array.isArray(wire)) return undefined;
  const read = wire.map((one) => rule.read(one));
  return read.every((one): one is DecimalText => one !== undefined && rule.accepts(one)) ? read : undefined;
};

/** An endpoint that takes amounts and gives them back, each through the exchange's arithmetic. */
const echo = endpoint({
  name: "echo",
  doc: "Amounts, there and back",
  method: "POST",
  path: "/api/v2/echo",
  generation: "v2",
  access: "private",
  serves: "BOTH",
  rate: perSecond(10, "UID"),
  parameters: { amounts: required("Amounts", structure("a list of amounts", amounts)) },
  data: record({ rows: list("Rows", record({ amount: decimal("An amount") })) }),
});
const served = asServed(echo);

/** What the exchange in the box does with a call's body. */
function answer(body: string): string {
  const header = (name: string) => (name === "content-type" ? "application/json" : undefined);
  const request = { method: "POST", target: echo.path, path: echo.path, query: "", body, address: "", header };
  const rows = readParameters(served, request, 0).amounts.map((one) => ({ amount: plain(exact(one).plus("1").minus("1")) }));
  return JSON.stringify({ code: "00000", msg: "success", requestTime: 0, data: { rows } });
}

/** The gateway: a graph in front of the endpoint. */
const decimals = new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(Decimal)));
const graph = new GraphQLSchema({
  query: new GraphQLObjectType({
    name: "Query",
    fields: {
      echo: {
        type: decimals,
        args: { amounts: { type: decimals } },
        resolve: (_, values: { readonly amounts: readonly DecimalText[] }) => {
          const envelope = readEnvelope(answer(JSON.stringify(encoded(echo, values))));
          return echo.data.decode(envelope?.data).rows.map((row) => row.amount);
        },
      },
    },
  }),
});
const document = parse("query ($amounts: [Decimal!]!) { echo(amounts: $amounts) }");

const random = randomOf("decimals");
const chance = (below: number): number => Math.floor((random.next() / 0x1_0000_0000) * below);
const nine = (): string => String(chance(1_000_000_000)).padStart(9, "0");
const digits = (count: number): string => `${nine()}${nine()}${nine()}`.slice(0, count);

/** Up to twenty digits before the point and eighteen after it, as JSON and the exchange write them. */
function anyDecimal(): DecimalText {
  const whole = digits(1 + chance(20)).replace(/^0+(?=\d)/, "");
  const fraction = digits(chance(19)).replace(/0+$/, "");
  const value = fraction === "" ? whole : `${whole}.${fraction}`;
  return chance(2) === 0 || /^[0.]+$/.test(value) ? value : `-${value}`;
}

describe("a million decimals of up to 20 and 18 digits", () => {
  it("come back equal through client, gateway, exchange and back", async () => {
    for (let done = 0; done < DECIMALS; done += PER_CALL) {
      const sent = Array.from({ length: PER_CALL }, anyDecimal);
      const variableValues = JSON.parse(JSON.stringify({ amounts: sent }));
      const result = await execute({ schema: graph, document, variableValues });
      const { data, errors } = JSON.parse(JSON.stringify(result));
      if (errors !== undefined) throw new Error(JSON.stringify(errors[0]));
      // One comparison of text: an assertion per decimal would take longer than all the rest.
      if (JSON.stringify(data.echo) !== JSON.stringify(sent)) expect(data.echo).toEqual(sent);
    }
  }, 90_000);

  it("are refused at one digit more", async () => {
    for (const one of ["1".repeat(21), `0.${"0".repeat(18)}1`, "1e3"]) {
      const { errors = [] } = await execute({ schema: graph, document, variableValues: { amounts: [one] } });
      expect(errors[0]?.message).toContain("Decimal must be");
    }
  });
});
