import { everyRow } from "../../../packages/contract/test/support/everyRow.js";
import type { Slice } from "../../../src/datasources/reads/paging/pager.js";

/** The rows of a slice, all of them. Throws what could not be read. */
export const rowsOf = <R>(slice: Slice<R>): readonly R[] => everyRow(slice.rows.map(({ row }) => row));
