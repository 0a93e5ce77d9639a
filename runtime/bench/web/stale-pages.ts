// The benchmark's own pages for stale frames: each reacts to a click in its own way, and a marker shows the number of clicks as a colour.
// A frame is stale if the marker shows another number.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pixels, Point } from '../../core/screen.ts';

/** Neighbours differ by at least one whole channel. */
const COLOURS = [
  [255, 255, 255],
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 0],
  [0, 255, 255],
  [255, 0, 255],
] as const;

const css = ([red, green, blue]: readonly [number, number, number]): string =>
  `rgb(${red}, ${green}, ${blue})`;

/** A point of the marker. */
const MARKER: Point = { x: 20, y: 20 };

interface Reaction {
  readonly style?: string;
  /** Runs once. */
  readonly start?: string;
  /** Runs at a click; `show(n)` colours the marker. */
  readonly react: string;
}

const AFTER_FRAMES = `let left = 8;
  const frame = () => {
    text.style.paddingLeft = left + 'px';
    left -= 1;
    if (left > 0) requestAnimationFrame(frame);
    else show(n);
  };
  requestAnimationFrame(frame);`;

const TICKER = `setInterval(() => { text.textContent = performance.now().toFixed(0); }, 20);`;

/** The ways in which pages react, by name. */
export const REACTIONS = {
  'at once': { react: 'show(n);' },
  'CSS transition': { style: '#marker { transition: background-color 150ms; }', react: 'show(n);' },
  'CSS animation': {
    style:
      '@keyframes change { to { background-color: var(--to); } } .on { animation: change 120ms forwards; }',
    react: `marker.style.backgroundColor = colour(n - 1);
      marker.classList.remove('on');
      void marker.offsetWidth;
      marker.style.setProperty('--to', colour(n));
      marker.classList.add('on');`,
  },
  'web animation': {
    react: "marker.animate([{ backgroundColor: colour(n) }], { duration: 120, fill: 'forwards' });",
  },
  'chain of timeouts': { react: 'setTimeout(() => setTimeout(() => setTimeout(() => show(n), 30), 10), 0);' },
  debounce: {
    start: 'let timer;',
    react: 'clearTimeout(timer); timer = setTimeout(() => show(n), 80);',
  },
  interval: {
    react: `let left = 4;
      const id = setInterval(() => {
        left -= 1;
        if (left > 0) return;
        clearInterval(id);
        show(n);
      }, 15);`,
  },
  'asynchronous function': {
    react: `(async () => {
      for (let step = 0; step < 4; step++) await new Promise(done => setTimeout(done, 8));
      show(n);
    })();`,
  },
  'animation frames': { react: AFTER_FRAMES },
  messages: {
    react: `const { port1, port2 } = new MessageChannel();
      let left = 5;
      port1.onmessage = () => {
        left -= 1;
        if (left > 0) port2.postMessage(0);
        else show(n);
      };
      port2.postMessage(0);`,
  },
  fetch: { react: "fetch('answer.json?' + n).then(reply => reply.json()).then(() => show(n));" },
  XMLHttpRequest: {
    react: `const request = new XMLHttpRequest();
      request.onload = () => show(n);
      request.open('GET', 'answer.json?' + n);
      request.send();`,
  },
  navigation: { react: "location.href = '?clicks=' + n;" },
  'endless ticker': { start: TICKER, react: 'show(n);' },
  'endless animation': {
    style: '@keyframes turn { to { rotate: 1turn; } } #text { animation: turn 1s linear infinite; }',
    react: 'setTimeout(() => show(n), 25);',
  },
  'endless frames': {
    start: `let shown = clicks;
      const frame = () => {
        text.textContent = performance.now().toFixed(0);
        if (shown !== clicks) show((shown = clicks));
        requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);`,
    react: '',
  },
  'image that loads': {
    react: "const image = new Image(); image.onload = () => show(n); image.src = 'dot.svg?' + n;",
  },
  'worker that answers': {
    start: `const worker = new Worker(URL.createObjectURL(new Blob(['onmessage = ({ data }) => postMessage(data)'])));
      worker.onmessage = ({ data }) => show(data);`,
    react: 'worker.postMessage(n);',
  },
  'idle callback': { react: 'requestIdleCallback(() => show(n));' },
} as const satisfies Readonly<Record<string, Reaction>>;

export type ReactionName = keyof typeof REACTIONS;
export const REACTION_NAMES = Object.keys(REACTIONS) as readonly ReactionName[];

export const fileOf = (name: ReactionName): string => `${name.replaceAll(' ', '-').toLowerCase()}.html`;

const htmlOf = ({ style = '', start = '', react }: Reaction): string => `<!doctype html><meta charset="utf-8">
<style>
  html, body { margin: 0; height: 100%; background: white; font: 12px sans-serif; }
  #marker { position: absolute; left: 0; top: 0; width: 40px; height: 40px; }
  #text { position: absolute; left: 60px; top: 120px; }
  ${style}
</style>
<div id="marker"></div><p id="text">Click</p>
<script>
  const COLOURS = ${JSON.stringify(COLOURS.map(css))};
  const marker = document.getElementById('marker');
  const text = document.getElementById('text');
  const colour = n => COLOURS[n % COLOURS.length];
  const show = n => { marker.style.backgroundColor = colour(n); };
  let clicks = Number(new URLSearchParams(location.search).get('clicks') ?? 0);
  show(clicks);
  ${start}
  addEventListener('click', () => {
    clicks += 1;
    const n = clicks;
    ${react}
  });
</script>`;

/** Writes the pages and what they request. */
export async function writeStalePages(folder: string): Promise<void> {
  const dot =
    '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>';
  await Promise.all([
    ...REACTION_NAMES.map(name => writeFile(join(folder, fileOf(name)), htmlOf(REACTIONS[name]))),
    writeFile(join(folder, 'answer.json'), '{}'),
    writeFile(join(folder, 'dot.svg'), dot),
  ]);
}

/** Whether the marker shows this number of clicks. */
export function showsClicks({ width, layout, data }: Pixels, clicks: number): boolean {
  const channels = layout === 'rgba' ? 4 : 3;
  const at = (MARKER.y * width + MARKER.x) * channels;
  const expected = COLOURS[clicks % COLOURS.length] ?? COLOURS[0];
  return expected.every((value, channel) => data[at + channel] === value);
}
