import { useId, useMemo, useState } from "react";
import { words } from "../format/format.js";
import { graphql } from "../graph/document.js";
import { useRead } from "../graph/useRead.js";
import { choose, useAccounts } from "../live/accounts.js";
import { go, type PageTitle, route } from "../state/route.js";
import { change, useSettings } from "../state/settings.js";
import { useTheme } from "../state/theme.js";
import { t } from "../text/text.js";
import { resetLayout } from "../ui/board.js";
import controls from "../ui/controls.module.css";
import { Dialog } from "../ui/dialog.js";
import { Empty } from "../ui/state.js";
import styles from "./palette.module.css";

const Markets = graphql(`
  query Markets {
    spot: instruments(category: SPOT) {
      symbol
      category
    }
    usdt: instruments(category: USDT_FUTURES) {
      symbol
      category
    }
    usdc: instruments(category: USDC_FUTURES) {
      symbol
      category
    }
    coin: instruments(category: COIN_FUTURES) {
      symbol
      category
    }
  }
`);

interface Command {
  readonly id: string;
  readonly text: string;
  readonly kind: string;
  run(): void;
}

const SHOWN = 12;

interface PaletteProps {
  readonly pages: readonly PageTitle[];
  readonly onClose: () => void;
}

/** Search by name: pages, markets, accounts, settings. */
export function Palette({ pages, onClose }: PaletteProps) {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const list = useId();
  const { all } = useAccounts();
  const { zone } = useSettings();
  const theme = useTheme();
  const { data } = useRead(Markets, {});
  const commands = useMemo((): readonly Command[] => {
    const markets = data === undefined ? [] : [data.usdt, data.spot, data.usdc, data.coin].flatMap((rows) => rows ?? []);
    return [
      ...pages.map(({ path, name }) => ({ id: path, text: name, kind: t("page"), run: () => go(path) })),
      ...all.map(({ name }) => ({ id: `account ${name}`, text: name, kind: t("account"), run: () => choose(name) })),
      {
        id: "theme",
        text: theme === "dark" ? t("Light theme") : t("Dark theme"),
        kind: t("view"),
        run: () => change({ theme: theme === "dark" ? "light" : "dark" }),
      },
      {
        id: "zone",
        text: zone === "UTC" ? t("Local time") : "UTC",
        kind: t("view"),
        run: () => change({ zone: zone === "UTC" ? "local" : "UTC" }),
      },
      { id: "layout", text: t("Reset the layout of this page"), kind: t("view"), run: () => resetLayout(route.value.page) },
      { id: "graphiql", text: "GraphiQL", kind: t("page"), run: () => window.open("/graphiql", "_blank", "noreferrer") },
      ...markets.flatMap((market) =>
        market === null
          ? []
          : [
              {
                id: `${market.category}/${market.symbol}`,
                text: market.symbol,
                kind: words(market.category).toLowerCase(),
                run: () => go("trade", market.category, market.symbol),
              },
            ],
      ),
    ];
  }, [pages, all, data, theme, zone]);
  const terms = text.trim().toLowerCase().split(/\s+/);
  const found = commands
    .filter((command) => terms.every((word) => `${command.text} ${command.kind}`.toLowerCase().includes(word)))
    .slice(0, SHOWN);
  const chosen = found[Math.min(at, found.length - 1)];
  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    onClose();
    command.run();
  };
  return (
    <Dialog title={t("Go to")} onClose={onClose}>
      <input
        type="text"
        className={controls.search}
        value={text}
        role="combobox"
        aria-label={t("Page, market, account or command")}
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={chosen === undefined ? undefined : `${list}-${chosen.id}`}
        placeholder={t("Page, market, account…")}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          // The keys of an input method choose its characters, such as those of 龙虾.
          if (event.nativeEvent.isComposing) return;
          if (event.key === "ArrowDown") setAt(Math.min(at + 1, found.length - 1));
          else if (event.key === "ArrowUp") setAt(Math.max(at - 1, 0));
          else if (event.key === "Enter") run(chosen);
          else return;
          event.preventDefault();
        }}
      />
      <div id={list} role="listbox" aria-label={t("Found")} className={styles.paletteList}>
        {found.map((command) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field above
          <div
            key={command.id}
            id={`${list}-${command.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={command === chosen}
            onClick={() => run(command)}
          >
            {command.text} <small>{command.kind}</small>
          </div>
        ))}
        {found.length === 0 && <Empty>{t("Nothing by that name")}</Empty>}
      </div>
    </Dialog>
  );
}
