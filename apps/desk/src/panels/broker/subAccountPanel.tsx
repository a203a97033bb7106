import { isDecimal } from "@exchange-graph/client";
import { useState } from "react";
import { amount, signed, tone } from "../../format/format.js";
import { totalOf } from "../../format/total.js";
import type { ResultOf } from "../../graph/document.js";
import { useIsLost } from "../../graph/session.js";
import { NO_GATEWAY } from "../../graph/useLive.js";
import { useRead } from "../../graph/useRead.js";
import { rehearse, submit } from "../../graph/writes.js";
import { useMay } from "../../live/accounts.js";
import { t } from "../../text/text.js";
import { Choice, Field, Select } from "../../ui/controls.js";
import type { Column } from "../../ui/csv.js";
import { errorAt } from "../../ui/errors.js";
import figures from "../../ui/figures.module.css";
import form from "../../ui/form.module.css";
import { Panel } from "../../ui/panel.js";
import { Empty } from "../../ui/state.js";
import { Table } from "../../ui/table.js";
import { Together } from "../../ui/together.js";
import { WriteForm } from "../../ui/writeForm.js";
import { ModifyEmail, SubAccountOf, Withdraw } from "./broker.js";
import styles from "./subAccountPanel.module.css";

type Found = NonNullable<NonNullable<ResultOf<typeof SubAccountOf>["account"]>["broker"]["subAccount"]>;
type Asset = NonNullable<NonNullable<Found["spotAssets"]>[number]>;

const columns: readonly Column<Asset>[] = [
  { id: "coin", title: t("Coin"), value: (row) => row.coin, isHead: true },
  { id: "available", title: t("Available"), value: (row) => row.available, cell: (row) => amount(row.available), isNumber: true },
  { id: "frozen", title: t("Frozen"), value: (row) => row.frozen, cell: (row) => amount(row.frozen), isNumber: true },
  {
    id: "value",
    title: t("Value, USDT"),
    value: (row) => row.valueUsdt,
    cell: (row) => amount(row.valueUsdt, 2),
    isNumber: true,
  },
];

interface Props {
  readonly account: string;
  readonly subUid: string;
}

/** One sub-account: balances, e-mail address, and withdrawals. */
export function SubAccountPanel({ account, subUid }: Props) {
  const feed = useRead(SubAccountOf, { account, subUid }, { everyMs: 10_000 });
  const mayWithdraw = useMay("withdraw", account);
  const mayChange = useMay("broker", account);
  const [opened, open] = useState<"email" | "withdraw">();
  const found = feed.data?.account?.broker.subAccount;
  const assets = found?.spotAssets?.filter((row) => row !== null);
  const futures = found?.futuresAssets?.filter((row) => row !== null);
  const close = () => open(undefined);
  return (
    <Panel
      title={t("Sub-account {subUid}", { subUid })}
      feeds={[feed]}
      has={assets !== undefined}
      dialogs={
        <>
          {opened === "email" && <Email account={account} subUid={subUid} email={found?.contact?.email ?? ""} onClose={close} />}
          {opened === "withdraw" && (
            <Withdrawing account={account} subUid={subUid} coins={assets?.map(({ coin }) => coin) ?? []} onClose={close} />
          )}
        </>
      }
      actions={
        <>
          {mayChange && (
            <button type="button" onClick={() => open("email")}>
              {t("E-mail")}
            </button>
          )}
          {mayWithdraw && (
            <button type="button" onClick={() => open("withdraw")}>
              {t("Withdraw")}
            </button>
          )}
        </>
      }
    >
      <dl className={`${figures.rows} ${styles.subAccount}`}>
        <div>
          <dt>{t("E-mail")}</dt>
          <dd>{found?.contact?.email ?? "–"}</dd>
        </div>
        <div>
          <dt>{t("Spot")}</dt>
          <dd>
            <Together
              total={totalOf(found?.spotAssets?.map((row) => ({ name: row?.coin ?? t("a row"), value: row?.valueUsdt ?? null })))}
            />
          </dd>
        </div>
        {futures === undefined && (
          <div>
            <dt>{t("Futures")}</dt>
            <dd>–</dd>
          </div>
        )}
        {futures?.map(({ marginCoin, equity, unrealisedPnl }) => (
          <div key={marginCoin}>
            <dt>
              {t("Futures,")} {marginCoin}
            </dt>
            <dd>
              {amount(equity, 2)}{" "}
              {unrealisedPnl !== null && (
                <span className={tone(unrealisedPnl)} title={t("Unrealised profit")}>
                  {signed(unrealisedPnl, 2)}
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {assets?.length === 0 ? (
        <Empty>{t("It holds nothing")}</Empty>
      ) : (
        <Table name={t("Assets of {subUid}", { subUid })} columns={columns} rows={assets} keyOf={({ coin }) => coin} />
      )}
    </Panel>
  );
}

function Email({ account, subUid, email, onClose }: Props & { readonly email: string; readonly onClose: () => void }) {
  const [value, setValue] = useState(email);
  return (
    <WriteForm
      title={t("E-mail of {subUid}", { subUid })}
      verb={t("Change e-mail")}
      isReady={value.includes("@") && value !== email}
      fields={["email"]}
      onClose={onClose}
      send={() => submit(t("E-mail of {subUid}", { subUid }), ModifyEmail, { account, subUid, email: value })}
    >
      {(errors) => <Field label={t("E-mail")} type="email" value={value} onChange={setValue} error={errorAt(errors, "email")} />}
    </WriteForm>
  );
}

/**
 * Withdraws in two steps: the gateway validates it first, including its list of addresses, and then the address is typed again.
 * `coins` are those that the sub-account holds.
 */
function Withdrawing({
  account,
  subUid,
  coins,
  onClose,
}: Props & { readonly coins: readonly string[]; readonly onClose: () => void }) {
  const [coin, setCoin] = useState(coins.includes("USDT") ? "USDT" : (coins[0] ?? "USDT"));
  const [chain, setChain] = useState("trc20");
  const [value, setValue] = useState("");
  const [dest, setDest] = useState<"ON_CHAIN" | "INTERNAL_TRANSFER">("ON_CHAIN");
  const [address, setAddress] = useState("");
  const [tag, setTag] = useState("");
  const [judged, setJudged] = useState<string>();
  const [typed, setTyped] = useState("");
  const isLost = useIsLost();
  const input = {
    ...{ account, subUid, coin, amount: value, dest, address },
    ...(dest === "ON_CHAIN" && chain !== "" && { chain }),
    ...(tag !== "" && { tag }),
  };
  const of = JSON.stringify(input);
  // What was checked may have been edited before the answer arrived.
  const isJudged = judged === of;
  const judge = async () => {
    const { isSound, errors } = await rehearse(Withdraw, input);
    setJudged(isSound ? of : undefined);
    return { outcome: "rejected" as const, errors };
  };
  const edit = (set: (text: string) => void) => (text: string) => {
    set(text);
    setJudged(undefined);
    setTyped("");
  };
  return (
    <WriteForm
      title={t("Withdraw from {subUid}", { subUid })}
      verb={isJudged ? t("Withdraw {value} {coin}", { value, coin }) : isLost ? NO_GATEWAY : t("Check it")}
      isReady={isDecimal(value) && address !== "" && (isJudged ? typed === value : !isLost)}
      isDangerous={isJudged}
      fields={["amount", "address", "chain", "coin", "tag"]}
      onClose={onClose}
      send={() =>
        isJudged ? submit(t("Withdraw {value} {coin} from {subUid}", { value, coin, subUid }), Withdraw, input) : judge()
      }
    >
      {(errors) => (
        <>
          <Choice
            label={t("To")}
            value={dest}
            onChange={(next) => edit(() => setDest(next))("")}
            options={[
              { value: "ON_CHAIN", text: t("To a chain") },
              { value: "INTERNAL_TRANSFER", text: t("To another user") },
            ]}
          />
          <div className={form.pair}>
            <Select
              label={t("Coin")}
              value={coin}
              onChange={edit(setCoin)}
              options={(coins.length === 0 ? [coin] : coins).map((one) => ({ value: one, text: one }))}
              error={errorAt(errors, "coin")}
            />
            {dest === "ON_CHAIN" && (
              <Field label={t("Chain")} value={chain} onChange={edit(setChain)} error={errorAt(errors, "chain")} />
            )}
          </div>
          <Field
            label={t("Amount")}
            value={value}
            onChange={edit(setValue)}
            unit={coin}
            error={errorAt(errors, "amount")}
            isDecimal
          />
          <Field
            label={dest === "ON_CHAIN" ? t("Address") : t("User identifier")}
            value={address}
            onChange={edit(setAddress)}
            error={errorAt(errors, "address")}
            hint={t("The gateway withdraws only to addresses on its operator's list")}
          />
          <Field
            label={t("Tag or memo, where the address has one")}
            value={tag}
            onChange={edit(setTag)}
            error={errorAt(errors, "tag")}
          />
          {isJudged && (
            <Field
              label={t("It would be sent. Type the amount again: {value}", { value })}
              value={typed}
              onChange={setTyped}
              unit={coin}
              isDecimal
            />
          )}
        </>
      )}
    </WriteForm>
  );
}
