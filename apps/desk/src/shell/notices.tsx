import { Suspense } from "react";
import { useAccounts } from "../live/accounts.js";
import { useForced } from "../live/forced.js";
import { useSettings } from "../state/settings.js";
import { lazily } from "../ui/parts.js";

const Reporting = lazily(
  () => import("./reporting.js"),
  ({ Reporting }) => Reporting,
);

/** Shows what the exchange does to the accounts unasked, and reports what happens to them if the user has chosen that. */
export function Notices() {
  const { all } = useAccounts();
  const { notifications, sound } = useSettings().notices;
  return (
    <>
      {all.map(({ name }) => (
        <Forced key={name} account={name} />
      ))}
      <Suspense>{(notifications || sound) && <Reporting />}</Suspense>
    </>
  );
}

function Forced({ account }: { readonly account: string }): null {
  useForced(account);
  return null;
}
