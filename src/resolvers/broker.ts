import { Arg, Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import type { ExchangeAccount } from "../datasources/index.js";
import { readBrokerInfo, readSubAccountSpotAssets } from "../datasources/queries/broker.js";
import { Broker, BrokerInfo, SubAccount, SubAccountSpotAsset } from "../schema/broker.js";
import { SubAccountAssetType } from "../schema/enums/broker.js";
import type { RequestContext } from "./context.js";
import type { Owned } from "./owned.js";

@Resolver(() => Broker)
export class BrokerResolver {
  @FieldResolver(() => BrokerInfo, {
    nullable: true,
    description: "How many sub-accounts there are and may be. Source: GET /api/v2/broker/account/info",
  })
  info(@Root() account: ExchangeAccount, @Ctx() { reads }: RequestContext): Promise<BrokerInfo> {
    return readBrokerInfo(reads, account);
  }

  @FieldResolver(() => SubAccount, {
    description: "One sub-account. Asks nothing by itself: a wrong identifier shows when a field is read",
  })
  subAccount(
    @Root() account: ExchangeAccount,
    @Arg("subUid", () => String, { description: "User identifier of the sub-account" }) subUid: string,
  ): Owned<{ readonly subUid: string }> {
    return { account, subUid };
  }
}

@Resolver(() => SubAccount)
export class SubAccountResolver {
  @FieldResolver(() => [SubAccountSpotAsset], {
    nullable: true,
    description: "What the sub-account holds on spot. Source: GET /api/v2/broker/account/subaccount-spot-assets",
  })
  spotAssets(
    @Root() { account, subUid }: Owned<SubAccount>,
    @Ctx() { reads }: RequestContext,
    @Arg("coin", () => String, { nullable: true, description: "Only this coin; it takes precedence over `assetType`" }) coin?:
      | string
      | null,
    @Arg("assetType", () => SubAccountAssetType, {
      nullable: true,
      description: "Coins held, or all coins; HOLD_ONLY if left out",
    })
    assetType?: SubAccountAssetType | null,
  ): Promise<readonly SubAccountSpotAsset[]> {
    return readSubAccountSpotAssets(reads, account, subUid, { coin, assetType });
  }
}
