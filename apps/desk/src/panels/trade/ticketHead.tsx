import { t } from "../../text/text.js";
import { Choice } from "../../ui/controls.js";
import type { Category } from "../market.js";
import styles from "./ticketHead.module.css";
import type { Terms, Ticket } from "./ticketState.js";

interface HeadProps {
  readonly ticket: Ticket;
  readonly terms: Terms;
  readonly mode: "CLASSIC" | "UNIFIED" | null;
  readonly onChange: (part: Partial<Ticket>) => void;
}

/** What every order begins with: the side and the type of the order. */
export function TicketHead({ ticket, terms, mode, onChange }: HeadProps) {
  const kinds = kindsOf(terms.market.category, mode);
  return (
    <>
      <Choice
        label={t("Side")}
        className={styles.sides}
        value={ticket.side}
        onChange={(side) => onChange({ side })}
        options={[
          { value: "BUY", text: t("Buy"), tone: "buy" },
          { value: "SELL", text: t("Sell"), tone: "sell" },
        ]}
      />
      {terms.isHedge && (
        <Choice
          label={t("Effect")}
          value={ticket.effect}
          onChange={(effect) => onChange({ effect })}
          options={[
            { value: "OPEN", text: ticket.side === "BUY" ? t("Open long") : t("Open short") },
            { value: "CLOSE", text: ticket.side === "BUY" ? t("Close short") : t("Close long") },
          ]}
        />
      )}
      <Choice
        label={t("Order type")}
        value={ticket.kind}
        // A strategy has a quantity or a value.
        onChange={(kind) =>
          onChange(kind === "STRATEGY" && !["qty", "value"].includes(ticket.by) ? { kind, by: "qty", size: "" } : { kind })
        }
        options={kinds}
      />
    </>
  );
}

/** Trigger orders of Classic spot are orders; all others are strategies. */
const kindsOf = (category: Category, mode: "CLASSIC" | "UNIFIED" | null) => [
  { value: "LIMIT" as const, text: t("Limit") },
  { value: "MARKET" as const, text: t("Market") },
  ...(category === "SPOT" && mode === "CLASSIC" ? [{ value: "TPSL" as const, text: t("Trigger") }] : []),
  { value: "STRATEGY" as const, text: t("Strategy") },
];
