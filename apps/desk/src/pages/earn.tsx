import { LoansPanel } from "../panels/earn/loans.js";
import { SavingsPanel } from "../panels/earn/savings.js";
import { SharkFinOffersPanel, SharkFinPanel } from "../panels/earn/sharkFin.js";

/** What is owed, and what earns interest. */
export const EarnAndLoans = () => (
  <>
    <h1 className="hidden">Earn and loans</h1>
    <LoansPanel />
    <SavingsPanel />
    <SharkFinPanel />
    <SharkFinOffersPanel />
  </>
);
