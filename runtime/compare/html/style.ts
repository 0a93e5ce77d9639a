// The style sheet of a report: light and dark by the reader's system, and black on white in print.

import { CHART_STYLE, curveColours } from '../../run/curves/svg.ts';

const LIGHT = `--page: #f6f8fa; --paper: #ffffff; --ink: #1f2328; --faint: #59636e; --grid: #d8dee4; --sure: #fff8e1; ${curveColours('light')}`;
const DARK = `--page: #0d1117; --paper: #15191f; --ink: #e6edf3; --faint: #9aa4af; --grid: #30363d; --sure: #2b2611; ${curveColours('dark')}`;

export const REPORT_STYLE = `${CHART_STYLE}
:root { color-scheme: light dark; ${LIGHT} }
@media (prefers-color-scheme: dark) { :root { ${DARK} } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', sans-serif; }
main { max-width: 1200px; margin: 0 auto; padding: 40px 28px 64px; }
h1 { margin: 0 0 4px; font-size: 28px; line-height: 1.25; text-wrap: balance; }
h2 { margin: 44px 0 6px; font-size: 20px; }
h3 { margin: 26px 0 6px; font-size: 16px; }
p { margin: 0 0 10px; max-width: 84ch; }
.eyebrow { margin: 0 0 6px; color: var(--faint); font-size: 13px; letter-spacing: 0.04em; text-transform: uppercase; }
.faint { color: var(--faint); }
.card { margin: 0; padding: 16px 18px; border: 1px solid var(--grid); border-radius: 10px; background: var(--paper); }
.arms, .charts { display: grid; gap: 16px; margin: 18px 0; }
.arms { grid-template-columns: repeat(auto-fit, minmax(260px, 1fr)); }
.charts { grid-template-columns: repeat(auto-fit, minmax(min(100%, 500px), 1fr)); }
.arm { border-left: 5px solid var(--colour); }
.arm h2 { margin: 0; font-size: 16px; overflow-wrap: anywhere; }
.arm .letter { color: var(--colour); }
.arm .rate { margin: 6px 0 0; line-height: 1.3; font-size: 26px; font-weight: 650; font-variant-numeric: tabular-nums; }
.arm .rate small { color: var(--faint); font-size: 14px; font-weight: 400; }
.findings { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 500px), 1fr)); gap: 16px; margin: 18px 0; padding: 0; list-style: none; }
.findings b { display: block; margin-bottom: 4px; font-size: 16px; }
.findings p:last-child { margin-bottom: 0; }
.missing { border-color: #b35900; }
.missing ul { margin: 6px 0 0; padding-left: 20px; }
.missing li { margin: 4px 0; overflow-wrap: anywhere; }
figcaption { margin-bottom: 4px; font-weight: 600; }
figure svg { display: block; width: 100%; max-width: 620px; height: auto; margin: 0 auto; }
details { margin-top: 8px; }
summary { color: var(--faint); cursor: pointer; }
.scroll { margin: 12px 0; overflow: auto; border: 1px solid var(--grid); border-radius: 10px; background: var(--paper); }
details .scroll { max-height: 320px; }
.scroll:focus-visible, summary:focus-visible { outline: 2px solid var(--c0); outline-offset: 2px; }
table { width: 100%; border-collapse: collapse; font-size: 13.5px; font-variant-numeric: tabular-nums; }
th, td { padding: 6px 12px; border-bottom: 1px solid var(--grid); text-align: left; vertical-align: middle; white-space: nowrap; }
tbody tr:last-child > * { border-bottom: 0; }
thead th { position: sticky; top: 0; background: var(--paper); color: var(--faint); font-weight: 600; }
tbody th { font-weight: 400; }
.number { text-align: right; }
.wrap td, .wrap th { white-space: normal; overflow-wrap: anywhere; }
.sure > * { background: var(--sure); font-weight: 600; }
.right { float: right; }
.dot { display: block; }
.dot .zero { stroke: var(--grid); stroke-width: 1.5; }
.dot .reach { stroke: var(--faint); }
.dot.first .reach, .dot.second .reach { stroke-width: 1.75; }
.dot.first .reach { stroke: var(--first); } .dot.first circle { fill: var(--first); }
.dot.second .reach { stroke: var(--second); } .dot.second circle { fill: var(--second); }
.dot.equal circle { fill: var(--faint); }
code { font: 12.5px ui-monospace, 'SF Mono', Menlo, Consolas, monospace; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
footer { margin-top: 44px; color: var(--faint); font-size: 13.5px; }
@media print {
  :root { ${LIGHT} --page: #ffffff; color-scheme: light; }
  svg { ${LIGHT} }
  .charts, .findings { grid-template-columns: 1fr 1fr; gap: 8px; } .card { padding: 8px 10px; }
  main { max-width: none; padding: 0; }
  body { font-size: 11pt; } table { font-size: 8.5pt; } th, td { padding: 3px 6px; white-space: normal; } td.number { white-space: nowrap; } .dot { width: 150px; height: auto; }
  .card, figure, tr { break-inside: avoid; } h2, h3 { break-after: avoid; }
  .scroll { overflow: visible; max-height: none; } thead th { position: static; }
  details { display: none; }
}
`;
