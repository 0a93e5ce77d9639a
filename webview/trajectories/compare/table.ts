// The numbers of both agents side by side: success with its interval, the difference, steps, tokens, latency and cost.

import type { AgentComparisonResult, ComparedAgent } from '../../../runtime/protocol/daemon/agents.ts';
import { make } from '../../shared/dom.ts';
import { formatPercent } from '../../shared/labels.ts';
import { intervalLabel, type Measure, measuresOf, rateOf, signedPoints } from './state.ts';

export function measureTable({ agents, difference }: AgentComparisonResult): HTMLElement {
  const [first, second] = agents;
  const head = make('tr', {}, make('td'), columnHead(first.agent), columnHead(second.agent));
  const solved = make(
    'tr',
    {},
    rowHead('Solved', '95 % interval'),
    solvedCell(first, 'first'),
    solvedCell(second, 'second'),
  );
  const body = make(
    'tbody',
    {},
    solved,
    ...differenceRow(difference, `${first.agent} minus ${second.agent}`),
    ...measuresOf(agents).map(measureRow),
  );
  return make('table', { class: 'measures' }, make('thead', {}, head), body);
}

function columnHead(agent: string): HTMLElement {
  const cell = make('th', { text: agent });
  cell.scope = 'col';
  return cell;
}

function rowHead(name: string, note: string): HTMLElement {
  const cell = make('th', { text: `${name} ` }, make('span', { class: 'faint', text: note }));
  cell.scope = 'row';
  return cell;
}

function solvedCell(agent: ComparedAgent, side: 'first' | 'second'): HTMLElement {
  return make(
    'td',
    {},
    make('strong', { text: formatPercent(rateOf(agent)) }),
    make('span', { class: 'faint', text: ` ${intervalLabel(agent)}` }),
    intervalBar({ low: agent.low, high: agent.high, value: rateOf(agent) }, side),
  );
}

/** On a track from −100 to +100 points, with a mark at 0. */
function differenceRow(
  difference: AgentComparisonResult['difference'],
  note: string,
): readonly HTMLElement[] {
  if (difference === undefined) return [];
  const { value, low, high } = difference;
  const half = (share: number) => (share + 1) / 2;
  const cell = make(
    'td',
    {},
    make('strong', { text: `${signedPoints(value)} points` }),
    make('span', { class: 'faint', text: ` ${signedPoints(low)} to ${signedPoints(high)}` }),
    intervalBar({ low: half(low), high: half(high), value: half(value) }, 'difference'),
  );
  cell.colSpan = 2;
  return [make('tr', {}, rowHead('Difference', note), cell)];
}

const measureRow = ({ name, note, values }: Measure): HTMLElement =>
  make('tr', {}, rowHead(name, note), ...values.map(text => make('td', { text })));

interface Spread {
  /** Shares of the track. */
  readonly low: number;
  readonly high: number;
  readonly value: number;
}

/** The numbers beside it say the same, so it is hidden from screen readers. */
function intervalBar({ low, high, value }: Spread, kind: 'first' | 'second' | 'difference'): HTMLElement {
  const band = make('span', { class: 'band' });
  Object.assign(band.style, { left: `${100 * low}%`, width: `${100 * (high - low)}%` });
  const dot = make('span', { class: 'dot' });
  dot.style.left = `${100 * value}%`;
  const track = make('span', { class: 'spread' }, band, dot);
  track.dataset['kind'] = kind;
  track.setAttribute('aria-hidden', 'true');
  return track;
}
