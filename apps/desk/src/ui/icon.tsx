const PATHS = {
  download: "M8 2v8M4.5 7 8 10.5 11.5 7M3 13.5h10",
  columns: "M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10",
  close: "M4 4l8 8M12 4l-8 8",
  sun: "M8 5a3 3 0 100 6 3 3 0 000-6M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1",
  moon: "M13 9.5A5.5 5.5 0 016.5 3 5.5 5.5 0 1013 9.5",
  search: "M7 2.5a4.5 4.5 0 100 9 4.5 4.5 0 000-9M10.5 10.5 14 14",
  sliders: "M2 4.5h7M13 4.5h1M11 2.5v4M2 11.5h1M7 11.5h7M5 9.5v4",
  key: "M5.5 6a3 3 0 100 4.9L8 8.5h6M12 8.5v2.5",
} as const;

/** A decorative icon beside text with the same meaning. */
export const Icon = ({ name }: { readonly name: keyof typeof PATHS }) => (
  <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    <path d={PATHS[name]} fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" strokeLinejoin="round" />
  </svg>
);
