import { Suspense, useState } from "react";
import { useAccount, useMay } from "../live/accounts.js";
import { t } from "../text/text.js";
import { lazily } from "../ui/parts.js";

const ExportDialog = lazily(
  () => import("./exportDialog.js"),
  ({ ExportDialog }) => ExportDialog,
);

/** Opens the export of the account's data over a range of time. */
export function ExportButton() {
  const account = useAccount();
  const mayRead = useMay("read:account", account);
  const [isOpen, open] = useState(false);
  if (!mayRead) return null;
  return (
    <>
      <button type="button" onClick={() => open(true)}>
        {t("Export")}
      </button>
      {isOpen && (
        <Suspense>
          <ExportDialog account={account} onClose={() => open(false)} />
        </Suspense>
      )}
    </>
  );
}
