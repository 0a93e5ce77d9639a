// What surrounds a chart: its paper, its title, and the colours that belong to its curves in light and in dark surroundings.

import { escaped, fixed, text } from '../../run/curves/svg.ts';

export interface Frame {
  readonly title: string;
  /** Below the title, in small. */
  readonly subtitle: string;
  /** What it shows, in a sentence, for who cannot see it. */
  readonly description: string;
}

export const WIDTH = 760;

/** Told apart also by who sees colours less well; after the last they begin again. */
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
/** Lines are told apart without colours, too. */
const DASHES = ['none', '7 4', '2 4', '10 3 2 3', '4 2', '12 4', '1 3', '8 3 1 3 1 3'] as const;

/** The class of the curve with this number, counted from 0. */
export const curveClass = (index: number): string => `c${index % COLOURS.length}`;

const names = (theme: 'light' | 'dark') =>
  COLOURS.map((colour, index) => `--c${index}: ${colour[theme]};`).join(' ');

const curveStyles = COLOURS.map(
  (_, index) =>
    `.c${index} .line { stroke: var(--c${index}); stroke-dasharray: ${DASHES[index]}; } .c${index} .band, .c${index} circle, .c${index} .bar { fill: var(--c${index}); } .c${index} .name { fill: var(--c${index}); }`,
);

const STYLE = `
    svg { --paper: #ffffff; --ink: #1f2328; --faint: #656d76; --grid: #d8dee4; ${names('light')} }
    @media (prefers-color-scheme: dark) {
      svg { --paper: #15191f; --ink: #e6edf3; --faint: #9aa4af; --grid: #30363d; ${names('dark')} }
    }
    text { font: 13px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: var(--faint); }
    .title { font-size: 17px; font-weight: 600; fill: var(--ink); }
    .paper { fill: var(--paper); } .grid { stroke: var(--grid); } .axis { stroke: var(--faint); }
    .line { fill: none; stroke-width: 2.25; stroke-linejoin: round; stroke-linecap: round; }
    .band { opacity: 0.15; } .reach { stroke: var(--ink); stroke-width: 1.25; } .name { font-weight: 600; }
    ${curveStyles.join('\n    ')}`;

/** A whole picture of what is inside. */
export function framed(
  { title, subtitle, description }: Frame,
  height: number,
  parts: readonly string[],
): string {
  const tall = fixed(height);
  const inside = [
    `<rect class="paper" width="${WIDTH}" height="${tall}" rx="10"/>`,
    text(24, 34, title, 'class="title"'),
    text(24, 55, subtitle),
    ...parts,
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${tall}" viewBox="0 0 ${WIDTH} ${tall}" role="img" aria-labelledby="title description">
  <title id="title">${escaped(title)}</title>
  <desc id="description">${escaped(description)}</desc>
  <style>${STYLE}
  </style>
${inside.map(part => `  ${part}\n`).join('')}</svg>
`;
}
