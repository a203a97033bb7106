import { WITHDRAWAL_DESTINATIONS } from "@exchange-graph/contract/wallet";
import { z } from "zod";
import type { AllowedAddress } from "../datasources/writes/rules/withdrawalAddresses.js";
import { changeableByOthers, type GuardedFile, readGuardedJson } from "../files/guardedFile.js";

const MAX_ADDRESSES = 1_000;

const word = z.string({ error: "must be text" }).min(1, "must not be empty").max(256, "must have at most 256 characters");

const address = z.strictObject({
  address: word,
  tag: word.optional(),
  dest: z.enum(WITHDRAWAL_DESTINATIONS, { error: `must be ${WITHDRAWAL_DESTINATIONS.join(" or ")}` }).default("on_chain"),
  account: word.optional(),
  coin: word.optional(),
  chain: word.optional(),
}) satisfies z.ZodType<AllowedAddress>;

const addresses = z
  .array(address, { error: "must be a list of {address, tag?, dest?, account?, coin?, chain?}" })
  .max(MAX_ADDRESSES, `must name at most ${MAX_ADDRESSES} addresses`);

/** Reads where money may be withdrawn to from a JSON file that nobody but its owner may change. */
export const readWithdrawalsFile = (path: string): GuardedFile<readonly AllowedAddress[]> =>
  readGuardedJson(path, changeableByOthers, addresses);
