import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, type Ref, type RefObject, useCallback } from "react";
import styles from "./table.module.css";

interface VirtualRowsProps {
  readonly count: number;
  readonly width: number;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly rowAt: (index: number, measure?: Ref<HTMLTableRowElement>) => ReactNode;
}

const ROW_HEIGHT = 29;

/** The visible ones of many rows. It is loaded with the first long table. */
export function VirtualRows({ count, width, scroller, rowAt }: VirtualRowsProps) {
  const virtual = useVirtualizer({
    count,
    getScrollElement: useCallback(() => scroller.current, [scroller]),
    estimateSize: () => ROW_HEIGHT,
    // Rows are cards on a phone, with the height of their content.
    measureElement: (row) => row.getBoundingClientRect().height,
    overscan: 12,
  });
  const drawn = virtual.getVirtualItems();
  const before = drawn[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (drawn.at(-1)?.end ?? 0);
  return (
    <>
      {before > 0 && <Gap height={before} width={width} />}
      {drawn.map(({ index }) => rowAt(index, virtual.measureElement))}
      {after > 0 && <Gap height={after} width={width} />}
    </>
  );
}

const Gap = ({ height, width }: { readonly height: number; readonly width: number }) => (
  <tr className={styles.gap}>
    <td colSpan={width} style={{ height }} />
  </tr>
);
