import { useAccounts } from "../live/accounts.js";
import { AccountNotices, useRefusalNotices } from "../live/notices.js";

/** Reports what happens to the accounts, by notifications and sounds. */
export function Reporting() {
  const { all } = useAccounts();
  useRefusalNotices();
  return all.map(({ name }) => <AccountNotices key={name} account={name} />);
}
