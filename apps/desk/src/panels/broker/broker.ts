import "../../graph/written.js";
import { graphql, type ResultOf } from "../../graph/document.js";

export const BrokerOf = graphql(`
  query BrokerOf($account: String, $after: String) {
    account(name: $account) {
      broker {
        info {
          subAccountCount
          maxSubAccountCount
        }
        subAccounts(first: 100, after: $after) {
          pageInfo {
            hasNextPage
            endCursor
          }
          nodes {
            id
            subUid
            profile {
              name
              label
              status
              permissions
              createdTime
            }
          }
        }
      }
    }
  }
`);

export const BrokerWithdrawals = graphql(`
  query BrokerWithdrawals($account: String, $after: String) {
    account(name: $account) {
      broker {
        withdrawals(first: 100, after: $after) {
          pageInfo {
            hasNextPage
            endCursor
          }
          nodes {
            orderId
            subUid
            coin
            chain
            amount
            fee
            dest
            status
            toAddress
            txId
            createdTime
          }
        }
      }
    }
  }
`);

export const SubAccountOf = graphql(`
  query SubAccountOf($account: String, $subUid: String!) {
    account(name: $account) {
      broker {
        subAccount(subUid: $subUid) {
          id
          subUid
          contact {
            email
            name
          }
          spotAssets(assetType: HOLD_ONLY) {
            coin
            available
            frozen
            locked
            valueUsdt
          }
          futuresAssets(productType: USDT_FUTURES) {
            marginCoin
            equity
            available
            unrealisedPnl
          }
        }
      }
    }
  }
`);

export const ModifyEmail = graphql(`
  mutation ModifyEmail($input: ModifySubAccountEmailInput!) {
    modifySubAccountEmail(input: $input) {
      ...Written
    }
  }
`);

export const Withdraw = graphql(`
  mutation Withdraw($input: WithdrawFromSubAccountInput!) {
    withdrawFromSubAccount(input: $input) {
      orderId
      request {
        path
        body
      }
      ...Written
    }
  }
`);

type Broker = NonNullable<ResultOf<typeof BrokerOf>["account"]>["broker"];
export type SubAccount = NonNullable<NonNullable<Broker["subAccounts"]>["nodes"][number]>;
export type Withdrawal = NonNullable<
  NonNullable<NonNullable<ResultOf<typeof BrokerWithdrawals>["account"]>["broker"]["withdrawals"]>["nodes"][number]
>;
