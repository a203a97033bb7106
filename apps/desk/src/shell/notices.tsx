import { useAccounts } from "../live/accounts.js";
import { useForced } from "../live/forced.js";
import { AccountNotices, useRefusalNotices } from "../live/notices.js";
import { useSettings } from "../state/settings.js";

/** Shows what the exchange does to the accounts unasked, and reports what happens to them if the user has chosen that. */
export function Notices() {
  const { all } = useAccounts();
  const { notifications, sound } = useSettings().notices;
  return (
    <>
      {all.map(({ name }) => (
        <Forced key={name} account={name} />
      ))}
      {(notifications || sound) && <Reporting />}
    </>
  );
}

function Forced({ account }: { readonly account: string }): null {
  useForced(account);
  return null;
}

function Reporting() {
  const { all } = useAccounts();
  useRefusalNotices();
  return all.map(({ name }) => <AccountNotices key={name} account={name} />);
}
