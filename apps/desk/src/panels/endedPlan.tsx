import { graphql } from "../graph/document.js";
import { useRead } from "../graph/useRead.js";
import { t } from "../text/text.js";

/** The history of unified accounts has no states: there the orders that it has placed tell whether it was triggered. */
const PlanEnd = graphql(`
  query PlanEnd($id: ID!) {
    node(id: $id) {
      ... on PlanOrder {
        id
        status
        triggeredExit
        subOrders(first: 1) {
          nodes {
            id
          }
        }
      }
    }
  }
`);

/** What has become of a trigger order that does not wait any more. */
export function EndedPlan({ id }: { readonly id: string }) {
  const { node } = useRead(PlanEnd, { id }).data ?? {};
  if (node == null || !("subOrders" in node)) return t("This trigger order has ended. Nothing is left to change.");
  switch (node.status) {
    case "CANCELLED":
      return t("This trigger order was cancelled meanwhile. Nothing is left to change.");
    case "FAIL_EXECUTE":
      return t("This trigger order was triggered meanwhile, but could not be executed. Nothing is left to change.");
    case "EXECUTED":
    case "EXECUTING":
      return TRIGGERED;
    default:
      return node.triggeredExit !== null || (node.subOrders?.nodes.length ?? 0) > 0
        ? TRIGGERED
        : t("This trigger order has ended without an order of its own: it was cancelled, or refused. Nothing is left to change.");
  }
}

const TRIGGERED = t("This trigger order was triggered meanwhile. Nothing is left to change.");
