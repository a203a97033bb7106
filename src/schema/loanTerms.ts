import { loanCoin, pledgeCoin } from "@exchange-graph/contract/loan";
import { Field } from "type-graphql";
import { Cost } from "./cost.js";
import { COINS, namedOf, rowsOf } from "./listLengths.js";
import { RecordType, recordOf } from "./record.js";

@RecordType("A coin that can be borrowed: at what rates and within what limits", { lasting: true })
class LoanCoin extends recordOf(loanCoin) {}

@RecordType("A coin that can be pledged: at what loan-to-value", {
  lasting: true,
})
class PledgeCoin extends recordOf(pledgeCoin) {}

@RecordType("Terms of the exchange's crypto loans")
export class LoanTerms {
  @Cost({ rows: (_asked, place) => namedOf(place.parent.coins, rowsOf(place, "loanCoins", COINS)) })
  @Field(() => [LoanCoin], { nullable: "items", description: "Coins that can be borrowed (`loanInfos`)" })
  readonly loanCoins!: readonly (LoanCoin | Error)[];

  @Cost({ rows: (_asked, place) => namedOf(place.parent.coins, rowsOf(place, "pledgeCoins", COINS)) })
  @Field(() => [PledgeCoin], { nullable: "items", description: "Coins that can be pledged (`pledgeInfos`)" })
  readonly pledgeCoins!: readonly (PledgeCoin | Error)[];
}
