import { useEffect, useState } from "react";
import { EMPTY, type Ticket } from "./ticketState.js";

/** An order that is being composed, and the account and market that it is for. */
interface Composed {
  readonly of: string;
  readonly ticket: Ticket;
}

/** The last composed order, kept while the token form replaces the page. In memory only. */
let last: Composed | undefined;

/** Another market or account is another order. */
const ticketOf = ({ of, ticket }: Composed, wanted: string): Ticket => (of === wanted ? ticket : { ...EMPTY, side: ticket.side });

/** The ticket of an account and market. It outlives a change of page and of token, but not one of account or market. */
export function useTicket(of: string) {
  const [composed, compose] = useState<Composed>(() => last ?? { of, ticket: EMPTY });
  const ticket = ticketOf(composed, of);
  useEffect(() => {
    last = { of, ticket };
  }, [of, ticket]);
  // A return to the former market does not restore its order.
  if (composed.of !== of) compose({ of, ticket });
  return {
    ticket,
    edit: (part: Partial<Ticket>) => compose((old) => ({ of, ticket: { ...ticketOf(old, of), ...part } })),
    /** Clears a size that was placed. What was typed while the order was under way stays. */
    clear: (size: string) =>
      compose((old) => (old.of === of && old.ticket.size === size ? { of, ticket: { ...old.ticket, size: "" } } : old)),
  };
}
