// The parts that every SVG chart shares: text, axes, colours and the frame with its title. Colours follow the light or dark theme.

/** Rounds to a tenth of a pixel. */
export const fixed = (number: number): number => Math.round(number * 10) / 10;

export const text = (x: number, y: number, content: string, attributes = ''): string =>
  `<text x="${fixed(x)}" y="${fixed(y)}"${attributes && ` ${attributes}`}>${escaped(content)}</text>`;

/** Text of any origin as content or as an attribute in double quotes, in SVG and in HTML. */
export const escaped = (content: string): string =>
  content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

export interface ChartFrame {
  readonly title: string;
  readonly subtitle: string;
  /** The content of the chart in one sentence, for screen readers. */
  readonly description: string;
  /** Inside a page: unique there. The page contains CHART_STYLE once, and has the title outside of the chart. */
  readonly id?: string;
}

export const CHART_WIDTH = 760;

/** Chosen to differ for colour-blind readers; the ninth curve reuses the first colour. */
const COLOURS = [
  { light: '#0b6bcb', dark: '#58a6ff' },
  { light: '#b35900', dark: '#f0a04b' },
  { light: '#1a7f5a', dark: '#4cc38a' },
  { light: '#8250df', dark: '#bc8cff' },
  { light: '#bf3989', dark: '#f778ba' },
  { light: '#57606a', dark: '#adb5bd' },
  { light: '#8a6d00', dark: '#d4b72c' },
  { light: '#cf222e', dark: '#ff7b72' },
] as const;
/** Lines differ by their dashes too. */
const DASHES = ['none', '7 4', '2 4', '10 3 2 3', '4 2', '12 4', '1 3', '8 3 1 3 1 3'] as const;

/** The CSS class of the curve with this index. */
export const curveClass = (index: number): string => `c${index % COLOURS.length}`;

/** The colours of the curves as CSS variables. */
export const curveColours = (theme: 'light' | 'dark') =>
  COLOURS.map((colour, index) => `--c${index}: ${colour[theme]};`).join(' ');

const curveStyles = DASHES.map(
  (dashes, index) =>
    `.c${index} .line { stroke: var(--c${index}); stroke-dasharray: ${dashes}; } .c${index} .band, .c${index} circle, .c${index} .bar { fill: var(--c${index}); } .c${index} .name { fill: var(--c${index}); }`,
);

export const CHART_STYLE = `
    svg { --paper: #ffffff; --ink: #1f2328; --faint: #656d76; --grid: #d8dee4; ${curveColours('light')} }
    @media (prefers-color-scheme: dark) {
      svg { --paper: #15191f; --ink: #e6edf3; --faint: #9aa4af; --grid: #30363d; ${curveColours('dark')} }
    }
    text { font: 13px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: var(--faint); }
    .title { font-size: 17px; font-weight: 600; fill: var(--ink); }
    .paper { fill: var(--paper); } .grid { stroke: var(--grid); } .axis { stroke: var(--faint); }
    .line { fill: none; stroke-width: 2.25; stroke-linejoin: round; stroke-linecap: round; }
    .band { opacity: 0.15; } .line.member { stroke-width: 1; opacity: 0.5; stroke-dasharray: none; } .reach { stroke: var(--ink); stroke-width: 1.25; } .name { font-weight: 600; }
    ${curveStyles.join('\n    ')}`;

/** A complete SVG file around the parts of a chart, or an SVG element of a page. */
export function framed(
  frame: ChartFrame,
  height: number,
  parts: readonly string[],
  width = CHART_WIDTH,
): string {
  const { id } = frame;
  const size = `width="${width}" height="${fixed(height)}"`;
  const name = (part: string): string => (id === undefined ? part : `${id}-${part}`);
  const headings = [text(24, 34, frame.title, 'class="title"'), text(24, 55, frame.subtitle)];
  const content = [`<rect class="paper" ${size} rx="10"/>`, ...(id === undefined ? headings : []), ...parts];
  const style = id === undefined ? `\n  <style>${CHART_STYLE}\n  </style>` : '';
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${width} ${fixed(height)}" role="img" aria-labelledby="${name('title')} ${name('description')}">
  <title id="${name('title')}">${escaped(frame.title)}</title>
  <desc id="${name('description')}">${escaped(frame.description)}</desc>${style}
${content.map(part => `  ${part}\n`).join('')}</svg>
`;
}

/** How values on an axis are written; `seconds` become minutes and seconds. */
export type AxisUnit = 'share' | 'seconds' | 'number';

export interface Axis {
  readonly ticks: readonly number[];
  readonly min: number;
  readonly max: number;
}

/** An axis from zero, or from the lowest negative value, in about `count` round steps. */
export function axisOf(values: readonly number[], unit: AxisUnit, count: number): Axis {
  let [low, high] = [0, Number.NEGATIVE_INFINITY];
  // A long run has more values than a function takes arguments.
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (high === Number.NEGATIVE_INFINITY) high = 1;
  // Equal values get an axis of their own magnitude, so that no step is zero.
  const isFlat = high - low <= MIN_SPAN * Math.max(1, Math.abs(high));
  const span = isFlat ? (Math.abs(high) > MIN_SPAN ? Math.abs(high) : 1) : high - low;
  const step = stepFor(span / count, unit);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil((isFlat ? high + span : high) / step - 1e-9));
  const tick = (index: number) => Number((index * step).toPrecision(12));
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => tick(first + index));
  return { ticks, min: tick(first), max: tick(last) };
}

const MIN_SPAN = 1e-6;

/** Round steps on a clock: minutes and hours instead of powers of ten. */
const CLOCK_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800];

function stepFor(wanted: number, unit: AxisUnit): number {
  const clockStep = unit === 'seconds' ? CLOCK_STEPS.find(each => each >= wanted) : undefined;
  if (clockStep !== undefined) return clockStep;
  const power = 10 ** Math.floor(Math.log10(wanted));
  return power * ([1, 2, 2.5, 5].find(each => each * power >= wanted * 0.999) ?? 10);
}

export function formatValue(value: number, unit: AxisUnit): string {
  if (unit === 'share') return `${formatNumber(100 * value, 3)} %`;
  if (unit === 'number') return formatNumber(value, 3);
  const seconds = Math.round(value);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** At most so many significant digits, and thousands separated by commas. */
export function formatNumber(value: number, digits: number): string {
  const rounded = Math.abs(value) >= 10 ** digits ? Math.round(value) : Number(value.toPrecision(digits));
  const [whole = '', fraction] = String(rounded).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** Moves labels apart: each stays near its position, keeps its order and, where they fit, lies between `min` and `max`. */
export function spreadLabels(
  positions: readonly number[],
  distance: number,
  min: number,
  max: number,
): readonly number[] {
  const order = positions
    .map((position, index) => ({ position, index }))
    .sort((a, b) => a.position - b.position || a.index - b.index);
  // Labels that would overlap form one block around their mean position.
  let blocks: { readonly members: typeof order; readonly first: number }[] = [];
  const blockOf = (members: typeof order) => {
    const sum = members.reduce((all, { position }, at) => all + position - at * distance, 0);
    const latest = max - (members.length - 1) * distance;
    return { members, first: Math.max(min, Math.min(latest, sum / members.length)) };
  };
  for (const label of order) {
    let block = blockOf([label]);
    for (let last = blocks.at(-1); last !== undefined; last = blocks.at(-1)) {
      if (last.first + last.members.length * distance <= block.first) break;
      block = blockOf([...last.members, ...block.members]);
      blocks = blocks.slice(0, -1);
    }
    blocks = [...blocks, block];
  }
  const places: number[] = [];
  for (const { members, first } of blocks)
    for (const [at, { index }] of members.entries()) places[index] = first + at * distance;
  return places;
}
