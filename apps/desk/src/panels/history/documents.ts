import { graphql } from "../../graph/document.js";

/** Documents about what accounts were worth. */

graphql(`
  fragment Worths on EquityHistory {
    missingAccounts {
      name
    }
    gaps {
      startTime
      endTime
      reason
    }
    points {
      time
      sampledTime
      source
      equity
      low
      high
      change {
        total
        flows
      }
    }
  }
`);

/** Curves of one account, of each by itself, or of all together. */
export const ReadWorths = graphql(`
  query ReadWorths(
    $account: String
    $one: Boolean!
    $each: Boolean!
    $all: Boolean!
    $from: DateTime!
    $to: DateTime
    $interval: EquityInterval!
  ) {
    account(name: $account) @include(if: $one) {
      name
      equityHistory(from: $from, to: $to, interval: $interval) {
        ...Worths
      }
    }
    accounts @include(if: $each) {
      name
      equityHistory(from: $from, to: $to, interval: $interval) {
        ...Worths
      }
    }
    equityHistory(from: $from, to: $to, interval: $interval) @include(if: $all) {
      ...Worths
    }
  }
`);

export const WatchWorth = graphql(`
  subscription WatchWorth($accounts: [String!]) {
    equity(accounts: $accounts) {
      account {
        name
      }
      point {
        time
      }
      gap {
        endTime
      }
    }
  }
`);

graphql(`
  fragment PerformanceRow on Performance {
    account {
      name
    }
    category
    symbol
    startTime
    endTime
    equityAtStart
    equityAtEnd
    change {
      total
      flows
      deposits
      withdrawals
      transfers
      loans
      earn
      trades
      fees
      funding
      interest
      other
      unrealised
      revaluation
      rounding
      unexplained
    }
    timeWeightedReturn {
      value
      reason
    }
    moneyWeightedReturn {
      value
      reason
    }
    maxDrawdown {
      value
      reason
    }
    longestDrawdownSeconds
    volatility {
      value
      reason
    }
    sharpe {
      value
      reason
    }
    sortino {
      value
      reason
    }
    calmar {
      value
      reason
    }
    realised
    fees
    funding
    closings
    winRate {
      value
      reason
    }
    profitFactor {
      value
      reason
    }
    expectancy {
      value
      reason
    }
    missingAccounts {
      name
    }
  }
`);

/** Rows of one account, or of all accounts. */
export const ReadPerformance = graphql(`
  query ReadPerformance($account: String, $one: Boolean!, $from: DateTime!, $to: DateTime, $by: PerformanceGroup!) {
    account(name: $account) @include(if: $one) {
      performance(from: $from, to: $to, by: $by) {
        ...PerformanceRow
      }
    }
    performance(from: $from, to: $to, by: $by) @skip(if: $one) {
      ...PerformanceRow
    }
  }
`);

graphql(`
  fragment DayProfit on ProfitDay {
    startTime
    profit
    flows
    equity
    dailyReturn {
      value
      reason
    }
    missingAccounts {
      name
    }
  }
`);

/** Days of one account, or of all together. */
export const ReadCalendar = graphql(`
  query ReadCalendar($account: String, $one: Boolean!, $from: DateTime!, $to: DateTime) {
    account(name: $account) @include(if: $one) {
      profitCalendar(from: $from, to: $to) {
        ...DayProfit
      }
    }
    profitCalendar(from: $from, to: $to) @skip(if: $one) {
      ...DayProfit
    }
  }
`);
