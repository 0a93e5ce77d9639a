// Renders an attempt as one self-contained HTML page: each screen with the target of the action, the action and its probability. Pure.

import type { Box, Pixels } from '../core/screen.ts';
import type { Attempt, AttemptStep } from './calls.ts';
import { encodePng } from './png.ts';

const STYLE = `
  :root { color-scheme: light dark; --paper: #f6f8fa; --card: #fff; --ink: #1f2328; --faint: #656d76; --line: #d8dee4; --mark: #d4008f; --sure: #0b6bcb; }
  @media (prefers-color-scheme: dark) {
    :root { --paper: #0d1117; --card: #161b22; --ink: #e6edf3; --faint: #9aa4af; --line: #30363d; --mark: #ff5fc4; --sure: #58a6ff; }
  }
  * { box-sizing: border-box; }
  body { margin: 0 auto; padding: 32px 24px; max-width: 1074px; background: var(--paper); color: var(--ink); font: 15px/1.45 system-ui, -apple-system, 'Segoe UI', sans-serif; }
  h1 { margin: 0 0 4px; font-size: 22px; text-wrap: balance; }
  header p, footer { margin: 0; color: var(--faint); }
  ol { list-style: none; margin: 24px 0; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, 322px); gap: 20px; }
  li { display: flex; flex-direction: column; background: var(--card); border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
  svg { display: block; width: 100%; height: auto; image-rendering: pixelated; border-bottom: 1px solid var(--line); }
  svg .mark { fill: none; stroke: var(--mark); stroke-width: 2; } svg .way { stroke: var(--mark); stroke-width: 2; stroke-dasharray: 4 3; }
  div { padding: 12px 14px 14px; } b { color: var(--faint); font-weight: 600; margin-right: 6px; }
  .sure { height: 4px; margin: 8px 0 6px; border-radius: 2px; background: var(--line); overflow: hidden; }
  .sure i { display: block; height: 100%; background: var(--sure); }
  small { color: var(--faint); font-size: 13px; }
  p.thought { margin: 6px 0; font-style: italic; } p.wrong { margin: 6px 0; color: var(--mark); }
  pre { margin: 6px 0 0; padding: 8px; max-height: 240px; overflow: auto; background: var(--paper); border-radius: 6px; font-size: 12px; white-space: pre-wrap; overflow-wrap: anywhere; }`;

/** `about` names the instance and the weights, `result` the outcome. */
export function filmstrip(attempt: Attempt, about: string, result: string): string {
  const { instruction, steps, last } = attempt;
  return filmPage(instruction, about, [
    ...steps.map((step, index) => filmCard(step.screen, step.boxes, stepText(step, index + 1))),
    filmCard(last, [], `<b>End</b>${escaped(result)}`),
  ]);
}

export const filmPage = (title: string, about: string, cards: readonly string[]): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>${STYLE}
</style>
<header>
<h1>${escaped(title)}</h1>
<p>${escaped(about)}</p>
</header>
<ol>
${cards.join('\n')}
</ol>
</html>
`;

/** A screen with its marks, and `html` below it. */
export const filmCard = (screen: Pixels, boxes: readonly Box[], html: string): string =>
  `<li>${picture(screen, boxes)}<div>${html}</div></li>`;

function stepText({ sentence, sure, nearly }: AttemptStep, number: number): string {
  const width = Math.round(100 * sure);
  const other = nearly && `; nearly: ${nearly.sentence} (${hundredths(nearly.probability)})`;
  return `<b>${number}</b>${escaped(sentence)}<div class="sure" style="padding:0"><i style="width:${width}%"></i></div><small>${hundredths(sure)} sure${escaped(other ?? '')}</small>`;
}

export const hundredths = (probability: number): string =>
  probability > 0.995 ? 'over 99 %' : `${Math.round(100 * probability)} %`;

function picture(screen: Pixels, boxes: readonly Box[]): string {
  const { width, height } = screen;
  const data = Buffer.from(encodePng(screen)).toString('base64');
  const marks = boxes.map(
    box =>
      `<rect class="mark" x="${box.x - 1}" y="${box.y - 1}" width="${box.width + 2}" height="${box.height + 2}" rx="3"/>`,
  );
  const [from, to] = boxes.map(box => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 }));
  const way =
    from && to ? [`<line class="way" x1="${from.x}" y1="${from.y}" x2="${to.x}" y2="${to.y}"/>`] : [];
  return `<svg viewBox="0 0 ${width} ${height}"><image width="${width}" height="${height}" href="data:image/png;base64,${data}"/>${[...marks, ...way].join('')}</svg>`;
}

export const escaped = (content: string): string =>
  content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
