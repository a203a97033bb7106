import {
  type CSSProperties,
  createContext,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useContext,
  useMemo,
  useRef,
  useState,
} from "react";
import { COLUMNS, type Layout, moved, ordered, PLAIN, type Size, sizeFrom } from "../state/layout.js";
import { useRoute } from "../state/route.js";
import { change, settings, useSettings } from "../state/settings.js";
import { useBuilt } from "../state/useBuilt.js";
import { t } from "../text/text.js";
import styles from "./board.module.css";
import panels from "./panel.module.css";
import { forwards, sideways } from "./sideways.js";

/** A panel of a page, with its default position and size. */
export interface Tile {
  /** Its name in the stored layout. */
  readonly id: string;
  /** Columns, of 24. */
  readonly w: number;
  /** Number of grid rows that it spans. Default: 1. */
  readonly rows?: number;
  readonly panel: ReactNode;
}

interface Place {
  readonly id: string;
  readonly size: Size;
  readonly style: CSSProperties;
  readonly isFolded: boolean;
  fold(): void;
  /** Moves it by a number of positions. */
  move(by: number): void;
  /** Moves it to the position of another panel. */
  moveTo(id: string): void;
  resize(size: Size): void;
  /** Changes its width by a number of columns. */
  widen(by: number): void;
}

const PlaceOf = createContext<Place | undefined>(undefined);

/** The position of the enclosing panel. */
export function usePlace(): Place {
  const place = useContext(PlaceOf);
  if (place === undefined) throw new Error("a panel outside of a board");
  return place;
}

/** Removes the user's layout of a page. */
export function resetLayout(page: string): void {
  const { [page]: _, ...others } = settings.value.layouts;
  change({ layouts: others });
}

/** The current layout of a page: newer than what is drawn if keys are faster than frames. */
const layoutOf = (page: string): Layout => settings.value.layouts[page] ?? PLAIN;

function keep(page: string, part: Partial<Layout>): void {
  change({ layouts: { ...settings.value.layouts, [page]: { ...layoutOf(page), ...part } } });
}

/** The panels of a page, in the user's order and size. */
export function Board({ tiles }: { readonly tiles: readonly Tile[] }) {
  const { page } = useRoute();
  const { layouts } = useSettings();
  const layout = layouts[page] ?? PLAIN;
  const [announcement, announce] = useState("");
  const ids = tiles.map(({ id }) => id).join("\n");
  const standing = ordered(ids.split("\n"), layout.order).flatMap((id) => tiles.find((tile) => tile.id === id) ?? []);
  const built = useBuilt(standing.length);
  const halves = standing.filter(({ id, w }) => isHalf(layout.sizes[id]?.w ?? w));
  const alone = halves.length % 2 === 1 ? halves.at(-1) : undefined;
  return (
    <>
      {standing.map((tile, index) => (
        <Standing
          key={tile.id}
          {...{ tile, page, ids, announce }}
          isBuilt={index < built}
          isAlone={tile === alone}
          size={layout.sizes[tile.id]}
          isFolded={layout.folded.includes(tile.id)}
        />
      ))}
      <p className="hidden" role="status">
        {announcement}
      </p>
    </>
  );
}

/** A panel that takes half of a narrow screen's width beside another one. */
const isHalf = (width: number): boolean => width <= COLUMNS / 3;

interface StandingProps {
  readonly tile: Tile;
  /** Whether its content is built; before that only its place is reserved. */
  readonly isBuilt: boolean;
  /** No other panel has the second half of its row on a narrow screen. */
  readonly isAlone: boolean;
  readonly page: string;
  /** All panels of the page in its default order, one per line. */
  readonly ids: string;
  readonly size: Size | undefined;
  readonly isFolded: boolean;
  readonly announce: (words: string) => void;
}

function Standing({ tile: { id, w, rows = 1, panel }, isBuilt, isAlone, page, ids, size, isFolded, announce }: StandingProps) {
  const place = useMemo((): Place => {
    const width = size?.w ?? w;
    const order = () => ordered(ids.split("\n"), layoutOf(page).order);
    const goTo = (to: number) => {
      const next = moved(order(), id, to);
      keep(page, { order: next });
      announce(t("Place {at} of {count}", { at: next.indexOf(id) + 1, count: next.length }));
    };
    const resize = (wanted: Size) => {
      const { sizes } = layoutOf(page);
      const next = sizeFrom({ ...sizes[id], ...wanted });
      keep(page, { sizes: { ...sizes, [id]: next } });
      announce(
        t("{width} of {columns} columns", { width: next.w ?? w, columns: COLUMNS }) +
          (next.h === undefined ? "" : `, ${next.h} px`),
      );
    };
    return {
      id,
      size: { w: width, ...(size?.h !== undefined && { h: size.h }) },
      style: {
        "--w": width,
        "--rows": rows,
        // On a narrow screen a panel has its full width, or half of it.
        "--w-narrow": isHalf(width) && !isAlone ? COLUMNS / 2 : COLUMNS,
        ...(size?.h !== undefined && { "--h": `${size.h}px` }),
      } as CSSProperties,
      isFolded,
      fold() {
        const { folded } = layoutOf(page);
        keep(page, { folded: isFolded ? folded.filter((one) => one !== id) : [...folded, id] });
      },
      move: (by) => goTo(order().indexOf(id) + by),
      moveTo: (other) => goTo(order().indexOf(other)),
      resize,
      widen: (by) => resize({ w: (layoutOf(page).sizes[id]?.w ?? w) + by }),
    };
  }, [id, w, rows, isAlone, size, isFolded, page, ids, announce]);
  if (!isBuilt)
    return (
      <section className={`${panels.panel} ${panels.awaited}`} data-panel={id} style={place.style} aria-hidden="true">
        <div className={panels.body} />
      </section>
    );
  return <PlaceOf value={place}>{panel}</PlaceOf>;
}

const STEP_PX = 40;
const panelOf = (element: Element | null): HTMLElement | null => element?.closest<HTMLElement>("[data-panel]") ?? null;
const heightOf = (element: Element): number => panelOf(element)?.querySelector(":scope > div")?.clientHeight ?? 0;

/** Moves a panel, by dragging or with the arrow keys; with Shift the arrow keys resize it. */
export function Grip({ title }: { readonly title: string }) {
  const place = usePlace();
  const over = useRef("");
  const pressed = (event: KeyboardEvent<HTMLElement>) => {
    const { key, shiftKey, currentTarget } = event;
    const across = sideways(key, currentTarget);
    const down = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
    if (across === 0 && down === 0) return;
    event.preventDefault();
    if (!shiftKey) {
      place.move(across + down);
      // Restores the focus if the browser removes it from the moved element.
      requestAnimationFrame(() => currentTarget.focus());
    } else if (across !== 0) place.widen(across);
    else place.resize({ h: heightOf(currentTarget) + down * STEP_PX });
  };
  const dragged = (event: PointerEvent<HTMLElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const under = document.elementsFromPoint(event.clientX, event.clientY).map(panelOf);
    const other = under.find((panel) => panel !== null)?.dataset.panel ?? "";
    if (other === over.current) return;
    over.current = other;
    if (other !== "" && other !== place.id) place.moveTo(other);
  };
  return (
    <button
      type="button"
      className={styles.grip}
      aria-label={t("Move or resize {title}", { title })}
      title={t("Drag to move. Arrow keys move, with Shift they resize")}
      onKeyDown={pressed}
      onPointerDown={(event) => {
        over.current = place.id;
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={dragged}
    >
      <span aria-hidden="true">⠿</span>
    </button>
  );
}

/** The corner that resizes a panel by dragging; for the keyboard there is the grip. */
export function Corner() {
  const place = usePlace();
  const from = useRef<{ readonly x: number; readonly y: number; readonly w: number; readonly h: number }>(undefined);
  return (
    <span
      className={styles.corner}
      aria-hidden="true"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = { x: event.clientX, y: event.clientY, w: place.size.w ?? COLUMNS, h: heightOf(event.currentTarget) };
      }}
      onPointerMove={(event) => {
        const page = panelOf(event.currentTarget)?.parentElement;
        if (!event.currentTarget.hasPointerCapture(event.pointerId) || from.current === undefined || !page) return;
        const { x, y, w, h } = from.current;
        const columns = Math.round(((event.clientX - x) / page.clientWidth) * COLUMNS) * forwards(page);
        const height = Math.abs(event.clientY - y) < STEP_PX / 4 ? place.size.h : h + event.clientY - y;
        place.resize({ w: w + columns, ...(height !== undefined && { h: height }) });
      }}
    />
  );
}
