import { graphql } from "./document.js";

/** Mutations of orders and positions. */
export const PlaceOrder = graphql(`
  mutation PlaceOrder($input: PlaceOrderInput!) {
    placeOrder(input: $input) {
      outcome
      orderId
      estimate {
        price
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
      userErrors {
        code
        message
        field
        retryable
      }
      journalEntry {
        id
      }
    }
  }
`);

export const PlaceTpsl = graphql(`
  mutation PlaceTpsl($input: PlaceTpslOrderInput!) {
    placeTpslOrder(input: $input) {
      outcome
      orderId
      estimate {
        price
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
      userErrors {
        code
        message
        field
        retryable
      }
      journalEntry {
        id
      }
    }
  }
`);

export const ModifyOrder = graphql(`
  mutation ModifyOrder($input: ModifyOrderInput!) {
    modifyOrder(input: $input) {
      outcome
      userErrors {
        code
        message
        field
        retryable
      }
      journalEntry {
        id
      }
    }
  }
`);

export const CancelOrder = graphql(`
  mutation CancelOrder($input: CancelOrderInput!) {
    cancelOrder(input: $input) {
      outcome
      userErrors {
        code
        message
        field
        retryable
      }
      journalEntry {
        id
      }
    }
  }
`);

export const AdjustMargin = graphql(`
  mutation AdjustMargin($input: AdjustPositionMarginInput!) {
    adjustPositionMargin(input: $input) {
      outcome
      userErrors {
        code
        message
        field
        retryable
      }
      journalEntry {
        id
      }
    }
  }
`);

export const SetLeverage = graphql(`
  mutation SetLeverage($input: SetLeverageInput!) {
    setLeverage(input: $input) {
      outcome
      userErrors {
        code
        message
        field
        retryable
      }
      journalEntry {
        id
      }
    }
  }
`);

export const SetMarginMode = graphql(`
  mutation SetMarginMode($input: SetMarginModeInput!) {
    setMarginMode(input: $input) {
      outcome
      userErrors {
        code
        message
        field
        retryable
      }
      journalEntry {
        id
      }
    }
  }
`);

export const SetHoldMode = graphql(`
  mutation SetHoldMode($input: SetHoldModeInput!) {
    setHoldMode(input: $input) {
      outcome
      userErrors {
        code
        message
        field
        retryable
      }
      journalEntry {
        id
      }
    }
  }
`);
