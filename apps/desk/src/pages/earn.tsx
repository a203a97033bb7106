import { LoanHistoryPanel } from "../panels/earn/loanHistory.js";
import { LoansPanel } from "../panels/earn/loans.js";
import { SavingsPanel } from "../panels/earn/savings.js";
import { SavingsProductsPanel, SavingsRecordsPanel } from "../panels/earn/savingsProducts.js";
import { SharkFinOffersPanel, SharkFinPanel } from "../panels/earn/sharkFin.js";
import { SharkFinRecordsPanel } from "../panels/earn/sharkFinRecords.js";
import { t } from "../text/text.js";
import { Board } from "../ui/board.js";

export const EarnAndLoans = () => (
  <>
    <h1 className="hidden">{t("Earn and loans")}</h1>
    <Board
      tiles={[
        { id: "Loans", w: 11, panel: <LoansPanel /> },
        { id: "Loan history", w: 13, panel: <LoanHistoryPanel /> },
        { id: "Savings", w: 12, panel: <SavingsPanel /> },
        { id: "Savings products", w: 12, panel: <SavingsProductsPanel /> },
        { id: "Shark-fin", w: 12, panel: <SharkFinPanel /> },
        { id: "Savings records", w: 12, panel: <SavingsRecordsPanel /> },
        { id: "Shark-fin offers", w: 12, panel: <SharkFinOffersPanel /> },
        { id: "Shark-fin records", w: 12, panel: <SharkFinRecordsPanel /> },
      ]}
    />
  </>
);
