import { fileURLToPath } from "node:url";
import { systemClock } from "@exchange-graph/contract/clock";
import { decimal } from "@exchange-graph/contract/codec";
import { type DecimalText, exact, plain } from "@exchange-graph/contract/decimal";
import { endpoint, perSecond } from "@exchange-graph/contract/endpoint";
import { list } from "@exchange-graph/contract/lists";
import { amount, required, structure } from "@exchange-graph/contract/parameter";
import { record } from "@exchange-graph/contract/record";
import { type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { signed } from "@exchange-graph/sandbox/handlers/handler";
import { randomOf } from "@exchange-graph/sandbox/world/random";
import { GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLSchema } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { everyRow } from "../../../packages/contract/test/support/everyRow.js";
import { credentialOf } from "../../../packages/sandbox/test/support/signedCall.js";
import { Trace } from "../../../src/datasources/reads/reader/trace.js";
import { createGateway, type Gateway } from "../../../src/gateway.js";
import { LIMITS } from "../../../src/limits.js";
import { Decimal } from "../../../src/schema/scalars.js";
import { exchangeOver, sandboxAccount } from "../../support/exchangeOver.js";
import { readyWith } from "../../support/gateway/ready.js";
import { searchedTelemetry } from "../../support/searchedTelemetry.js";
import { unknownOutlook } from "../../support/unknownOutlook.js";

/** `DECIMALS=1000000` sends a million. */
const DECIMALS = Number.parseInt(process.env.DECIMALS ?? "10000", 10);
/** As many as a body of the exchange's size holds. */
const PER_CALL = 1_000;

const rule = amount("any");
const amounts = (wire: unknown): readonly DecimalText[] | undefined => {
  if (!Array.isArray(wire)) return undefined;
  const read = wire.map((one) => rule.read(one));
  return read.every((one): one is DecimalText => one !== undefined && rule.accepts(one)) ? read : undefined;
};

/** An endpoint that takes amounts and gives them back. */
const echo = endpoint({
  name: "echo",
  doc: "Amounts, there and back",
  method: "POST",
  path: "/api/v2/echo",
  access: "private",
  serves: "BOTH",
  rate: perSecond(10, "UID"),
  parameters: { amounts: required("Amounts", structure("a list of amounts", amounts)) },
  data: record({ rows: list("Rows", record({ amount: decimal("An amount") })) }),
});
/** Each goes through the exchange's arithmetic. */
const echoed = signed(echo, ({ values }) => ({
  rows: values.amounts.map((one) => ({ amount: plain(exact(one).plus("1").minus("1")) })),
}));

/** A graph in front of the endpoint, in the place of the gateway's own. */
function graphOver(call: (amounts: readonly DecimalText[]) => Promise<readonly DecimalText[]>): GraphQLSchema {
  const decimals = new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(Decimal)));
  const args = { amounts: { type: decimals } };
  const resolve = (_: unknown, values: { readonly amounts: readonly DecimalText[] }) => call(values.amounts);
  return new GraphQLSchema({
    query: new GraphQLObjectType({ name: "Query", fields: { echo: { type: decimals, args, resolve } } }),
  });
}

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

let sandbox: Sandbox;
let gateway: Gateway;
let url: string;
let close: () => Promise<void>;
beforeAll(async () => {
  sandbox = await startSandbox({ signedQuery: "decoded", hasPast: false, enforceLimits: false, handlers: [echoed] });
  const exchange = exchangeOver(new URL(sandbox.url));
  const account = sandboxAccount("main", credentialOf("main"));
  const call = async (amounts: readonly DecimalText[]) => {
    const { data } = await exchange.client.call(echo, { amounts }, account, Date.now() + 10_000);
    return everyRow(data.rows).map((row) => row.amount);
  };
  gateway = await createGateway({
    schema: graphOver(call),
    outlook: unknownOutlook(),
    contextFor: () => ({ reads: { trace: new Trace() } }),
    readiness: readyWith(),
    ...searchedTelemetry([]),
    clock: systemClock,
    loopDelay: { ms: 0 },
    introspection: true,
    graphiqlFolder: fileURLToPath(new URL("../../support/gateway/page", import.meta.url)),
    limits: { document: { ...LIMITS.document, listItems: PER_CALL } },
    maxBodyBytes: 65_536,
    shutdownTimeoutMs: 5_000,
  });
  url = await gateway.listen({ host: "127.0.0.1", port: 0 });
  close = async () => {
    await gateway.stop();
    await exchange.close();
    await sandbox.close();
  };
});
afterAll(() => close());

async function sentThere(amounts: readonly DecimalText[]) {
  const query = "query ($amounts: [Decimal!]!) { echo(amounts: $amounts) }";
  const body = JSON.stringify({ query, variables: { amounts } });
  const response = await fetch(`${url}/graphql`, { method: "POST", headers: { "content-type": "application/json" }, body });
  const { data, errors = [] } = JSON.parse(await response.text());
  return { data, errors };
}

describe(`${DECIMALS} decimals of up to 20 and 18 digits`, () => {
  it(
    "come back equal through client, gateway, exchange and back, over HTTP",
    async () => {
      for (let done = 0; done < DECIMALS; done += PER_CALL) {
        const sent = Array.from({ length: PER_CALL }, anyDecimal);
        const { data, errors } = await sentThere(sent);
        if (errors.length > 0) throw new Error(JSON.stringify(errors[0]));
        // One comparison of text: an assertion per decimal would take longer than all the rest.
        if (JSON.stringify(data.echo) !== JSON.stringify(sent)) expect(data.echo).toEqual(sent);
      }
    },
    DECIMALS + 10_000,
  );

  it("are refused at one digit more", async () => {
    for (const one of ["1".repeat(21), `0.${"0".repeat(18)}1`, "1e3"]) {
      const { errors } = await sentThere([one]);
      expect(errors[0]?.message).toContain("Decimal must be");
    }
  });
});
