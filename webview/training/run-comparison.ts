// Several runs side by side: their success curves with confidence bands, and a table of their differences.

import uPlot from 'uplot';
import type { RunState, RunSummary } from '../../runtime/protocol/daemon/state.ts';
import { reportName } from '../../runtime/protocol/report-name.ts';
import { button, type CheckboxControl, checkbox } from '../shared/controls.ts';
import { findElement, make } from '../shared/dom.ts';
import type { PageHost } from '../shared/host.ts';
import { formatPercent } from '../shared/labels.ts';
import { type ComparedRun, comparisonRows, overlayCurves } from './comparison.ts';
import { type CurveAxis, positionLabel, tickLabel } from './labels.ts';
import { newestFirst } from './order.ts';
import { isSameCurve } from './plot.ts';

const STORAGE_KEY = 'compared';
const EXPORT = 'Export…';
const HEIGHT_PX = 240;
/** More lines cannot be distinguished. */
const MAX_RUNS = 4;
const HUES = ['--test', '--train', '--unseen', '--good'];
const DASHES = [[], [7, 4], [2, 4], [10, 3, 2, 3]];
export class RunComparison {
  readonly #host: PageHost;
  readonly #checks = new Map<string, CheckboxControl>();
  readonly #showError: (error: unknown) => void;
  readonly #section = findElement('compare', HTMLElement);
  readonly #list = make('div', { class: 'chosen-runs' });
  readonly #room = make('div', { class: 'overlay' });
  readonly #table = make('div', { class: 'scroll' });
  readonly #export = button(
    { text: EXPORT, title: 'Save a report about the chosen runs as one HTML file' },
    () => this.#exportReport(),
  );
  readonly #states = new Map<string, ComparedRun>();
  #runs: readonly RunSummary[] = [];
  #chosen: readonly string[];
  #axis: CurveAxis = 'seconds';
  #plot: uPlot | undefined;

  constructor(host: PageHost, showError: (error: unknown) => void) {
    this.#host = host;
    this.#showError = showError;
    const kept = host.read(STORAGE_KEY);
    this.#chosen = Array.isArray(kept)
      ? kept.filter(each => typeof each === 'string').slice(0, MAX_RUNS)
      : [];
    const title = make('h2', { text: 'Compare runs ' });
    const about = make('span', {
      class: 'faint',
      text: `on test worlds, with 95 % intervals; at most ${MAX_RUNS} runs`,
    });
    title.append(about);
    const head = make('div', { class: 'compare-head' }, title, this.#export.element);
    for (const [group, label] of [
      [this.#list, 'Runs to compare'],
      [this.#room, 'Success curves of the chosen runs'],
    ] as const) {
      group.role = 'group';
      group.ariaLabel = label;
    }
    this.#section.append(head, this.#list, this.#room, this.#table);
    new ResizeObserver(() => {
      const width = this.#room.clientWidth;
      if (width > 0) this.#plot?.setSize({ width, height: HEIGHT_PX });
    }).observe(this.#room);
    // The canvas does not follow the theme by itself.
    new MutationObserver(() => this.#draw()).observe(document.body, { attributeFilter: ['class'] });
  }

  /** Uses the same axis as the chart of the run. */
  setAxis(axis: CurveAxis): void {
    if (axis === this.#axis) return;
    this.#axis = axis;
    this.#draw();
  }

  /** Hidden if there is only one run. */
  setRuns(runs: readonly RunSummary[]): void {
    this.#runs = newestFirst(runs);
    this.#section.hidden = runs.length < 2;
    this.#chosen = this.#chosen.filter(run => runs.some(each => each.run === run));
    this.#showCheckboxes();
    for (const run of this.#chosen) this.#fetch(run);
  }

  stateChanged(state: RunState): void {
    if (!this.#chosen.includes(state.run)) return;
    const before = this.#states.get(state.run);
    this.#states.set(state.run, state);
    if (before === undefined || !isSameCurve(before.curve, state.curve)) this.#draw();
  }

  #showCheckboxes(): void {
    const checks = this.#runs.map(({ run }) => {
      const made = this.#checks.get(run) ?? checkbox(run, isChosen => this.#choose(run, isChosen));
      this.#checks.set(run, made);
      made.setChecked(this.#chosen.includes(run));
      return made.element;
    });
    // Replaced only if it changed, since a replaced checkbox loses the keyboard focus.
    if (
      checks.some((element, at) => element !== this.#list.children[at]) ||
      checks.length !== this.#list.childElementCount
    )
      this.#list.replaceChildren(...checks);
    this.#draw();
  }

  #choose(run: string, isChosen: boolean): void {
    const others = this.#chosen.filter(each => each !== run);
    this.#chosen = isChosen ? [...others, run].slice(-MAX_RUNS) : others;
    this.#host.keep(STORAGE_KEY, this.#chosen);
    if (isChosen) this.#fetch(run);
    // At the maximum, a new run replaces the one that was chosen first.
    this.#showCheckboxes();
  }

  #fetch(run: string): void {
    this.#host.link.request('run.state', { run }).then(state => {
      this.#states.set(run, state);
      this.#draw();
    }, this.#showError);
  }

  #exportReport(): void {
    const runs = [...this.#chosen];
    if (runs.length === 0) return;
    this.#export.setEnabled(false);
    this.#export.setText('Exporting…');
    this.#host.link
      .request('run.compare', { runs })
      .then(({ html }) => this.#host.save({ name: reportName(runs), text: html }), this.#showError)
      .finally(() => {
        this.#export.setText(EXPORT);
        this.#export.setEnabled(true);
      });
  }

  #draw(): void {
    const compared = this.#chosen.flatMap(run => this.#states.get(run) ?? []);
    this.#plot?.destroy();
    this.#plot = undefined;
    this.#table.hidden = compared.length === 0;
    // Daemons of earlier versions make no reports.
    this.#export.element.hidden = compared.length === 0 || !this.#host.link.supports('run.compare');
    if (compared.length === 0) return;
    const { positions, runs } = overlayCurves(compared, this.#axis);
    const data: uPlot.AlignedData = [
      [...positions],
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
    const place = (value: number) => tickLabel(this.#axis, value);
    const edge = { show: true, stroke: 'transparent', points: { show: false }, spanGaps: true };
    return {
      width,
      height: HEIGHT_PX,
      scales: { x: { time: false }, y: { range: [0, 1] } },
      axes: [
        { ...axis, values: (_, values) => values.map(place) },
        { ...axis, size: 52, values: (_, values) => values.map(formatPercent) },
      ],
      series: [
        {
          label: 'Evaluated',
          value: (_, value) => (value === null ? '' : positionLabel(this.#axis, value)),
        },
        ...runs.flatMap((run, index) => [
          {
            label: run,
            stroke: hue(index),
            width: 2,
            dash: DASHES[index] ?? [],
            spanGaps: true,
            value: (_: uPlot, value: number | null) => (value === null ? '' : formatPercent(value)),
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

  #showTable(compared: readonly ComparedRun[]): void {
    const cell = (tag: 'th' | 'td', text: string) => make(tag, { text });
    const head = make('tr', {}, cell('td', ''), ...compared.map(({ run }) => cell('th', run)));
    const rows = comparisonRows(compared).map(({ name, values, differs }) => {
      const row = make('tr', {}, cell('th', name), ...values.map(value => cell('td', value)));
      row.dataset['differs'] = String(differs);
      return row;
    });
    this.#table.replaceChildren(make('table', {}, make('thead', {}, head), make('tbody', {}, ...rows)));
  }
}
