import { graphql } from "./document.js";
import "./written.js";

/** The estimated costs of an order. */
graphql(`
  fragment Estimated on OrderEstimate {
    cost
    costCoin
    fee
    feeRate
    margin
    required
    requiredCoin
    available
    isAffordable
    leverage
    maxQty
    maxQuoteQty
  }
`);

/** Mutations of orders and positions. */
export const PlaceOrder = graphql(`
  mutation PlaceOrder($input: PlaceOrderInput!) {
    placeOrder(input: $input) {
      ...Written
      orderId
      estimate {
        ...Estimated
      }
    }
  }
`);

export const PlaceTpsl = graphql(`
  mutation PlaceTpsl($input: PlaceTpslOrderInput!) {
    placeTpslOrder(input: $input) {
      ...Written
      orderId
      estimate {
        ...Estimated
      }
    }
  }
`);

export const PlacePlan = graphql(`
  mutation PlacePlan($input: PlacePlanOrderInput!) {
    placePlanOrder(input: $input) {
      ...Written
      orderId
      estimate {
        ...Estimated
      }
    }
  }
`);

export const PlaceMany = graphql(`
  mutation PlaceMany($input: PlaceOrdersInput!) {
    placeOrders(input: $input) {
      ...Written
      orders {
        outcome
      }
      estimate {
        funds {
          cost
          costCoin
          fee
          margin
          required
          requiredCoin
          available
        }
      }
    }
  }
`);

export const ModifyOrder = graphql(`
  mutation ModifyOrder($input: ModifyOrderInput!) {
    modifyOrder(input: $input) {
      ...Written
      estimate {
        ...Estimated
      }
    }
  }
`);

export const ModifyPlan = graphql(`
  mutation ModifyPlan($input: ModifyPlanOrderInput!) {
    modifyPlanOrder(input: $input) {
      ...Written
    }
  }
`);

export const CancelOrder = graphql(`
  mutation CancelOrder($input: CancelOrderInput!) {
    cancelOrder(input: $input) {
      ...Written
    }
  }
`);

export const AdjustMargin = graphql(`
  mutation AdjustMargin($input: AdjustPositionMarginInput!) {
    adjustPositionMargin(input: $input) {
      ...Written
    }
  }
`);

export const SetLeverage = graphql(`
  mutation SetLeverage($input: SetLeverageInput!) {
    setLeverage(input: $input) {
      ...Written
    }
  }
`);

export const SetMarginMode = graphql(`
  mutation SetMarginMode($input: SetMarginModeInput!) {
    setMarginMode(input: $input) {
      ...Written
    }
  }
`);

export const SetHoldMode = graphql(`
  mutation SetHoldMode($input: SetHoldModeInput!) {
    setHoldMode(input: $input) {
      ...Written
    }
  }
`);
