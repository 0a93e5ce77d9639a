// Runs overlaid: the success of each with its band, over time or versions, and a table of what sets them apart.

import uPlot from 'uplot';
import type { RunState, RunSummary } from '../../runtime/protocol/daemon/state.ts';
import { type Check, check } from '../shared/controls.ts';
import { make, need } from '../shared/dom.ts';
import type { Host } from '../shared/host.ts';
import { percent } from '../shared/words.ts';
import { type Compared, overlaid, rowsOf } from './comparison.ts';
import { newestFirst } from './order.ts';
import { type Axis, momentInWords, placeInWords } from './words.ts';

const KEPT = 'compared';
const HIGH = 240;
/** More lines than that cannot be told apart. */
const MOST = 4;
const HUES = ['--test', '--train', '--unseen', '--good'];
const DASHES = [[], [7, 4], [2, 4], [10, 3, 2, 3]];
export class Compare {
  readonly #host: Host;
  readonly #checks = new Map<string, Check>();
  readonly #complain: (error: unknown) => void;
  readonly #section = need('compare', HTMLElement);
  readonly #list = make('div', { class: 'chosen-runs' });
  readonly #room = make('div', { class: 'overlay' });
  readonly #table = make('div', { class: 'scroll' });
  readonly #states = new Map<string, Compared>();
  #runs: readonly RunSummary[] = [];
  #chosen: readonly string[];
  #by: Axis = 'seconds';
  #plot: uPlot | undefined;

  constructor(host: Host, complain: (error: unknown) => void) {
    this.#host = host;
    this.#complain = complain;
    const kept = host.read(KEPT);
    this.#chosen = Array.isArray(kept) ? kept.filter(each => typeof each === 'string').slice(0, MOST) : [];
    const title = make('h2', { text: 'Runs side by side ' });
    const about = make('span', { class: 'faint', text: `test worlds, with 95 % bands; up to ${MOST}` });
    title.append(about);
    this.#section.append(title, this.#list, this.#room, this.#table);
    new ResizeObserver(() => {
      const width = this.#room.clientWidth;
      if (width > 0) this.#plot?.setSize({ width, height: HIGH });
    }).observe(this.#room);
    // Its colours are drawn, so they do not follow the theme by themselves.
    new MutationObserver(() => this.#draw()).observe(document.body, { attributeFilter: ['class'] });
  }

  /** Over the same as the run's own curve. */
  over(axis: Axis): void {
    if (axis === this.#by) return;
    this.#by = axis;
    this.#draw();
  }

  /** With a single run there is nothing to compare. */
  runs(runs: readonly RunSummary[]): void {
    this.#runs = newestFirst(runs);
    this.#section.hidden = runs.length < 2;
    this.#chosen = this.#chosen.filter(run => runs.some(each => each.run === run));
    this.#showList();
    for (const run of this.#chosen) this.#fetch(run);
  }

  heard(state: RunState): void {
    if (!this.#chosen.includes(state.run)) return;
    const known = this.#states.get(state.run);
    this.#states.set(state.run, state);
    if (known?.curve.length !== state.curve.length) this.#draw();
  }

  #showList(): void {
    const checks = this.#runs.map(({ run }) => {
      const made = this.#checks.get(run) ?? check(run, isChosen => this.#choose(run, isChosen));
      this.#checks.set(run, made);
      made.set(this.#chosen.includes(run));
      return made.element;
    });
    // What has the keyboard loses it where it is put into the page anew.
    if (
      checks.some((element, at) => element !== this.#list.children[at]) ||
      checks.length !== this.#list.childElementCount
    )
      this.#list.replaceChildren(...checks);
    this.#draw();
  }

  #choose(run: string, isChosen: boolean): void {
    const others = this.#chosen.filter(each => each !== run);
    this.#chosen = isChosen ? [...others, run].slice(-MOST) : others;
    this.#host.keep(KEPT, this.#chosen);
    if (isChosen) this.#fetch(run);
    // One more than can be told apart takes the place of the one that was chosen first.
    this.#showList();
  }

  #fetch(run: string): void {
    this.#host.link.request('run.state', { run }).then(state => {
      this.#states.set(run, state);
      this.#draw();
    }, this.#complain);
  }

  #draw(): void {
    const compared = this.#chosen.flatMap(run => this.#states.get(run) ?? []);
    this.#plot?.destroy();
    this.#plot = undefined;
    this.#table.hidden = compared.length === 0;
    if (compared.length === 0) return;
    const { places, runs } = overlaid(compared, this.#by);
    const data: uPlot.AlignedData = [
      [...places],
      ...runs.flatMap(({ rate, low, high }) => [[...rate], [...high], [...low]]),
    ];
    const width = Math.max(200, this.#room.clientWidth);
    this.#plot = new uPlot(
      this.#options(
        runs.map(({ run }) => run),
        width,
      ),
      data,
      this.#room,
    );
    this.#showTable(compared);
  }

  #options(runs: readonly string[], width: number): uPlot.Options {
    const style = getComputedStyle(this.#section);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    const hue = (index: number) => colour(HUES[index] ?? '--text');
    const axis = {
      stroke: colour('--faint'),
      grid: { stroke: colour('--track'), width: 1 },
      ticks: { show: false },
      font: `12px ${colour('--vscode-font-family')}`,
    };
    const place = (value: number) => placeInWords(this.#by, value);
    const edge = { show: true, stroke: 'transparent', points: { show: false }, spanGaps: true };
    return {
      width,
      height: HIGH,
      scales: { x: { time: false }, y: { range: [0, 1] } },
      axes: [
        { ...axis, values: (_, values) => values.map(place) },
        { ...axis, size: 52, values: (_, values) => values.map(percent) },
      ],
      series: [
        {
          label: 'Measured',
          value: (_, value) => (value === null ? '' : momentInWords(this.#by, value)),
        },
        ...runs.flatMap((run, index) => [
          {
            label: run,
            stroke: hue(index),
            width: 2,
            dash: DASHES[index] ?? [],
            spanGaps: true,
            value: (_: uPlot, value: number | null) => (value === null ? '' : percent(value)),
          },
          edge,
          edge,
        ]),
      ],
      bands: runs.map((_, index) => ({
        series: [3 * index + 2, 3 * index + 3],
        fill: `color-mix(in srgb, ${hue(index)} 14%, transparent)`,
      })),
      cursor: { drag: { x: false, y: false } },
    };
  }

  #showTable(compared: readonly Compared[]): void {
    const cell = (tag: 'th' | 'td', text: string) => make(tag, { text });
    const head = make('tr', {}, cell('th', ''), ...compared.map(({ run }) => cell('th', run)));
    const rows = rowsOf(compared).map(({ name, values, differs }) => {
      const row = make('tr', {}, cell('th', name), ...values.map(value => cell('td', value)));
      row.dataset['differs'] = String(differs);
      return row;
    });
    this.#table.replaceChildren(make('table', {}, make('thead', {}, head), make('tbody', {}, ...rows)));
  }
}
