import { Relay } from "../../src/relay/relay.js";

type Parts = ConstructorParameters<typeof Relay>[0];

/** A relay that has no accounts, and whose failures fail the test. */
export const relayOf = (parts: Pick<Parts, "connections" | "store" | "clock"> & Partial<Parts>): Relay =>
  new Relay({
    random: () => 0.5,
    fingerprintOf: () => "key",
    accountNamed: () => undefined,
    report: (error) => {
      throw error;
    },
    changedElsewhere: () => undefined,
    returned: () => undefined,
    ...parts,
  });
