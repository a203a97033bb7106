import type { Clock } from "@exchange-graph/contract/clock";
import type { SandboxExchange } from "../sandboxExchange.js";
import { accountHandlers, settingsHandlers } from "./account.js";
import { assetHandlers, futuresAccountHandlers, maximumHandlers } from "./asset.js";
import { batchHandlers, bulkWriteHandlers } from "./batches.js";
import { brokerHandlers } from "./broker.js";
import { candleHandlers } from "./candle.js";
import { catalogueHandlers, coinHandlers, feeRateHandlers } from "./catalogue.js";
import { classicFuturesOrderWriteHandlers } from "./classicFuturesOrderWrites.js";
import { classicSpotOrderWriteHandlers } from "./classicSpotOrderWrites.js";
import { savingsHandlers, sharkFinHandlers } from "./earn.js";
import { financialRecordHandlers } from "./financialRecord.js";
import { fundingHandlers } from "./funding.js";
import type { Handler } from "./handler.js";
import { instrumentHandlers } from "./instrument.js";
import { loanHandlers } from "./loan.js";
import { bookHandlers, marketHandlers, publicTradeHandlers, tickerHandlers } from "./market.js";
import { fillHandlers, orderReadHandlers } from "./orderReads.js";
import { orderWriteHandlers } from "./orderWrites.js";
import { planWriteHandlers } from "./planWrites.js";
import { planReadHandlers, positionHandlers } from "./position.js";
import { convertHandlers, transferHandlers } from "./transfer.js";
import { walletHandlers } from "./wallet.js";

export function allHandlers({ world, services }: SandboxExchange, clock: Clock): readonly Handler[] {
  const { state, orders, plans, planStore, strategies, settings, modes, transfers } = world;
  const { catalogue, markets, now } = state;
  return [
    ...marketHandlers(markets, clock),
    ...tickerHandlers(markets),
    ...bookHandlers(markets),
    ...candleHandlers(markets, now),
    ...publicTradeHandlers(markets),
    ...instrumentHandlers(catalogue, markets),
    ...fundingHandlers(markets, catalogue),
    ...catalogueHandlers(catalogue),
    ...accountHandlers(state, modes),
    ...assetHandlers(state),
    ...futuresAccountHandlers(state, services.broker),
    ...positionHandlers(state, planStore),
    ...orderReadHandlers(state, planStore),
    ...orderWriteHandlers(state, orders),
    ...classicSpotOrderWriteHandlers(state, orders, plans),
    ...classicFuturesOrderWriteHandlers(state, orders),
    ...batchHandlers(state, orders),
    ...bulkWriteHandlers(state, orders, world.service, world.timeline),
    ...fillHandlers(state),
    ...planReadHandlers(state, planStore),
    ...planWriteHandlers(state, plans, planStore, strategies),
    ...settingsHandlers(settings, markets),
    ...loanHandlers(services.loans),
    ...sharkFinHandlers(services.sharkFin),
    ...savingsHandlers(services.savings),
    ...brokerHandlers(services.broker, catalogue.coins),
    ...convertHandlers(services.convert),
    ...walletHandlers(services.wallets),
    ...coinHandlers(catalogue.coins),
    ...feeRateHandlers(catalogue),
    ...financialRecordHandlers(state.records),
    ...maximumHandlers(state, transfers),
    ...transferHandlers(transfers),
  ];
}
