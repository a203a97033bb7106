import { Suspense, useState } from "react";
import { t } from "../../text/text.js";
import { lazily } from "../../ui/parts.js";
import type { Futures } from "../market.js";
import { entryOf, exitsOf } from "./bracket.js";
import { qtyOf } from "./ticketInput.js";
import type { Terms, Ticket } from "./ticketState.js";

const Calculator = lazily(
  () => import("./calculator.js"),
  ({ Calculator }) => Calculator,
);

interface Props {
  readonly category: Futures;
  readonly ticket: Ticket;
  readonly terms: Terms;
  readonly leverage: string;
}

/** Opens the calculator with the order of the ticket. Contracts whose profit is in coins have none. */
export function CalculatorButton({ category, ticket, terms, leverage }: Props) {
  const [isOpen, open] = useState(false);
  if (category === "COIN_FUTURES") return null;
  return (
    <>
      <button type="button" aria-label={t("Calculator")} title={t("Calculator")} onClick={() => open(true)}>
        ±
      </button>
      {isOpen && (
        <Suspense>
          <Calculator
            category={category}
            symbol={terms.market.symbol}
            instrument={terms.instrument}
            start={{
              side: ticket.side,
              entry: entryOf(ticket, terms) ?? "",
              exit: exitsOf(ticket, terms).takeProfit ?? "",
              qty: qtyOf(ticket, terms) ?? "",
              leverage,
            }}
            onClose={() => open(false)}
          />
        </Suspense>
      )}
    </>
  );
}
