/** What other layers may use of this one. */
export { type ExportQuery, type OpenExport, openExport } from "./exporter.js";
export { EXPORT_FORMATS, type ExportFormat, headOf, isWritable, linesOf } from "./fileFormat.js";
export type { ExportClient } from "./pacedReads.js";
export { type Cells, EXPORT_KINDS, type ExportInterval, type ExportKind, INTERVALS, isOneOf } from "./table.js";
