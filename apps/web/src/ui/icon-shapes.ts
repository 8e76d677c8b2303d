/** One path of an icon in a 14 px box; `filled` paths have no stroke. */
export interface IconPath {
  readonly d: string;
  readonly filled?: true;
  readonly strokeWidth?: number;
  readonly dash?: string;
}

const circle = (x: number, y: number, r: number): string =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
const box = (x: number, y: number, width: number, height: number): string =>
  `M${x} ${y}h${width}v${height}h${-width}Z`;

/** Kind is a shape, never a colour. Only the flag of a mark is filled. */
export const ICON_SHAPES = {
  user: [{ d: circle(7, 4.5, 2.5) }, { d: 'M2 12.5c0-3 2-4.5 5-4.5s5 1.5 5 4.5' }],
  model: [{ d: 'M7 1.5 12.5 7 7 12.5 1.5 7Z' }, { d: circle(7, 7, 1.4), filled: true }],
  tool: [{ d: box(1.5, 2.5, 11, 9) }, { d: 'M4 5.5 6 7 4 8.5M7.5 9H10' }],
  agent: [{ d: box(1.5, 1.5, 8, 8) }, { d: 'M12.5 4.5v8h-8' }],
  compact: [{ d: 'M2 2l4 4M6 3v3H3M12 12 8 8M8 11V8h3' }],
  retrieval: [
    { d: 'M2 3.5h6M2 7h4M2 10.5h3' },
    { d: circle(9, 8.5, 2.6) },
    { d: 'M11 10.5l1.7 1.7' },
  ],
  protocol: [{ d: 'M2 4.5h9M8.5 2 11 4.5M12 9.5H3M5.5 12 3 9.5' }],
  flag: [{ d: 'M3 13V1.5' }, { d: 'M3 1.5h9L9.5 4.75 12 8H3Z', filled: true }],
  flagOutline: [{ d: 'M3 13V1.5h8.5L9 4.75 11.5 8H3' }],
  cross: [{ d: 'M3 3l8 8M11 3l-8 8' }],
  empty: [{ d: circle(7, 7, 4.5) }, { d: 'M2.5 11.5l9-9' }],
  cut: [{ d: 'M2 4h10M2 7h6M2 10h3M11 8.5v3M9.5 10h3' }],
  retry: [{ d: 'M11.8 6A5 5 0 1 0 12 8.2M12 2.5V6H8.5' }],
  block: [{ d: circle(7, 7, 5) }, { d: 'M3.5 3.5l7 7' }],
  question: [
    { d: 'M4.5 4.5C4.5 2.9 5.5 2 7 2s2.5.9 2.5 2.2c0 1.8-2.5 1.9-2.5 4' },
    { d: 'M7 11.2v.6' },
  ],
  noClock: [{ d: 'M4 2.6A5.2 5.2 0 0 1 11.4 10M10 11.4A5.2 5.2 0 0 1 2.6 4M7 4v3M2 2l10 10' }],
  down: [{ d: 'M3 5l4 4 4-4' }],
  right: [{ d: 'M5 3l4 4-4 4' }],
  search: [{ d: circle(6, 6, 3.8) }, { d: 'M9 9l3.5 3.5' }],
  sun: [
    { d: circle(7, 7, 2.6) },
    {
      d: 'M7 .8v1.4M7 11.8v1.4M.8 7h1.4M11.8 7h1.4M2.6 2.6l1 1M10.4 10.4l1 1M2.6 11.4l1-1M10.4 3.6l1-1',
    },
  ],
  moon: [{ d: 'M11.8 8.6A5.2 5.2 0 0 1 5.4 2.2 5.2 5.2 0 1 0 11.8 8.6Z' }],
  system: [{ d: circle(7, 7, 5) }, { d: 'M7 2a5 5 0 0 1 0 10Z', filled: true }],
  file: [{ d: 'M3 1.5h5l3 3v8H3ZM8 1.5v3h3' }],
  lock: [{ d: box(2.5, 6, 9, 6.5) }, { d: 'M4.5 6V4a2.5 2.5 0 0 1 5 0v2' }],
  pin: [{ d: 'M4.5 1.5h5M5.5 1.5v4L3.5 8h7l-2-2.5v-4M7 8v4.5' }],
  unpin: [{ d: 'M4.5 1.5h5M8.5 1.5v4l2 2.5h-4M7 8v4.5M2 2l10 10' }],
  equal: [{ d: 'M3 5h8M3 9h8' }],
  tilde: [{ d: 'M2.5 8C4 5 5.5 6 7 7s3 2 4.5-1' }],
  notEqual: [{ d: 'M3 5h8M3 9h8M9.5 2.5l-5 9' }],
  dots: [{ d: 'M3 7h.01M7 7h.01M11 7h.01', strokeWidth: 2.2 }],
  minus: [{ d: 'M3 7h8' }],
  plus: [{ d: 'M7 3v8M3 7h8' }],
  swap: [{ d: 'M2 5h9M8.5 2.5 11 5M12 9H3M5.5 11.5 3 9' }],
  warning: [{ d: 'M7 1.8 13 12.2H1Z' }, { d: 'M7 5.5v3M7 10v.5' }],
  out: [{ d: 'M2 7h9M7.5 3.5 11 7l-3.5 3.5' }],
  in: [{ d: 'M12 7H3M6.5 3.5 3 7l3.5 3.5' }],
  check: [{ d: 'M2.5 7.5 5.5 10.5 11.5 3.5' }],
  note: [{ d: 'M2.5 3.5h9M2.5 7h9M2.5 10.5h5' }],
  play: [{ d: 'M4 2.5v9L11.5 7Z' }],
  copy: [{ d: box(4.5, 4.5, 8, 8) }, { d: 'M9.5 4.5v-3h-8v8h3' }],
  terminal: [{ d: box(1.5, 2, 11, 10) }, { d: 'M4 5l2 2-2 2' }],
  globe: [
    { d: circle(7, 7, 5.3) },
    { d: 'M1.7 7h10.6M7 1.7c3 3 3 7.6 0 10.6M7 1.7c-3 3-3 7.6 0 10.6' },
  ],
  fit: [{ d: 'M1.5 7h11M4 4.5 1.5 7 4 9.5M10 4.5 12.5 7 10 9.5' }],
  clock: [{ d: circle(7, 7, 5.2) }, { d: 'M7 4v3l2 1.5' }],
  unknown: [
    { d: circle(7, 7, 5), dash: '2 1.6' },
    {
      d: 'M7 9.8v.2M5.6 5.6c0-1 .6-1.5 1.4-1.5s1.4.5 1.4 1.2c0 1-1.4 1.1-1.4 2.3',
      strokeWidth: 1.2,
    },
  ],
  more: [{ d: 'M2 6h2v2H2zM6 6h2v2H6zM10 6h2v2h-2z', filled: true }],
} as const satisfies Record<string, readonly IconPath[]>;

export type IconName = keyof typeof ICON_SHAPES;
