/** Small line drawings; all are decoration beside a text or a name. */
import type { JSX } from "preact";

const SHAPES = {
  mark: "M4 19V7.5a2.5 2.5 0 0 1 4.6-1.3L12 11.5l3.4-5.3A2.5 2.5 0 0 1 20 7.5V19M9 19v-4M15 19v-4",
  overview: "M4 4h7v7H4zM13 4h7v5h-7zM13 11h7v9h-7zM4 13h7v7H4z",
  requests: "M4 7h13l-3-3M20 17H7l3 3",
  try: "M5 4l14 8-14 8z",
  resources: "M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9",
  time: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3.5 2",
  jobs: "M4 6h10M4 12h10M4 18h10M18 5l1.5 1.5L22 4M18 11l1.5 1.5L22 10M18 17l1.5 1.5L22 16",
  outbox: "M4 13l2-8h12l2 8v6H4zM4 13h5l1 2h4l1-2h5",
  faults: "M13 3L5 14h6l-1 7 8-11h-6z",
  state:
    "M4 6c0-1.7 3.6-3 8-3s8 1.3 8 3-3.6 3-8 3-8-1.3-8-3zM4 6v12c0 1.7 3.6 3 8 3s8-1.3 8-3V6M4 12c0 1.7 3.6 3 8 3s8-1.3 8-3",
  credentials: "M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM11 12l9-9M16 7l3 3M13.5 9.5l2 2",
  metrics: "M4 4v16h16M8 15l3-4 3 2 5-7",
  docs: "M5 4h10l4 4v12H5zM15 4v4h4M8 12h8M8 16h8",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L20 20",
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6L6 18",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  again: "M4 12a8 8 0 0 1 14-5.3L20 9M20 4v5h-5M20 12a8 8 0 0 1-14 5.3L4 15M4 20v-5h5",
  pause: "M8 5v14M16 5v14",
  play: "M7 5l12 7-12 7z",
  compare: "M9 4v16M15 4v16M4 8h5M4 16h5M15 8h5M15 16h5",
  edit: "M4 20h4L19 9l-4-4L4 16zM13 7l4 4",
  bin: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5",
  add: "M12 5v14M5 12h14",
  check: "M5 12.5l4.5 4.5L19 7.5",
  warn: "M12 4l9 16H3zM12 10v4M12 17v.5",
  out: "M14 4h6v16h-6M10 8l-4 4 4 4M6 12h10",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M5 19l2-2M17 7l2-2",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z",
  half: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 3v18M12 7h6M12 11h8.5M12 15h7.5",
  link: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
  down: "M12 4v12M7 11l5 5 5-5M4 20h16",
  up: "M12 20V8M7 13l5-5 5 5M4 4h16",
  seed: "M12 21v-9M12 14c0-4 2-7 8-7 0 5-3 8-8 8M12 12c0-3-2-6-8-6 0 4 3 7 8 7",
  next: "M9 5l7 7-7 7",
  frozen: "M12 3v18M4.5 7.5l15 9M19.5 7.5l-15 9M9 4.5l3 2.5 3-2.5M9 19.5l3-2.5 3 2.5",
} as const;
export type IconName = keyof typeof SHAPES;

export const Icon = ({ name }: { readonly name: IconName }): JSX.Element => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={SHAPES[name]} />
  </svg>
);
