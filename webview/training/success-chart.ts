// The success curve with its 95 % bands, as an SVG. The mouse or the arrow keys select an evaluation to read.

import type { EvaluationPoint, RunState } from '../../runtime/protocol/daemon/state.ts';
import { select } from '../shared/controls.ts';
import { findElement, make } from '../shared/dom.ts';
import type { PageHost } from '../shared/host.ts';
import { formatCount, formatPercent } from '../shared/labels.ts';
import { isCombined } from '../shared/shortcut-key.ts';
import {
  attemptsLabel,
  axisLabel,
  CURVE_AXES,
  CURVE_SPLITS,
  type CurveAxis,
  extraFindings,
  formatClock,
  formatInterval,
  positionLabel,
  splitLabel,
  tickLabel,
} from './labels.ts';
import { type CurvePlot, isSameCurve, latestAt, layOutCurve, positionsOf } from './plot.ts';

const STORAGE_KEY = 'over';
const SVG = 'http://www.w3.org/2000/svg';

const drawing = findElement('plot', HTMLDivElement);
const readout = findElement('readout', HTMLDivElement);
const rates = findElement('rates', HTMLUListElement);
const rows = findElement('rows', HTMLTableSectionElement);

export class SuccessChart {
  #run: Pick<RunState, 'run' | 'curve' | 'of'> = { run: '', curve: [], of: 0 };
  #plot: CurvePlot | undefined;
  /** The selected evaluation, as an index into all positions. */
  #selected: number | undefined;
  #axis: CurveAxis;

  /** Calls `onAxis` with the current axis. */
  constructor(host: Pick<PageHost, 'read' | 'keep'>, onAxis: (axis: CurveAxis) => void) {
    const stored = host.read(STORAGE_KEY);
    this.#axis = CURVE_AXES.find(axis => axis === stored) ?? 'seconds';
    onAxis(this.#axis);
    const axes = select('Axis of the curve', value => {
      this.#axis = CURVE_AXES.find(axis => axis === value) ?? 'seconds';
      this.#selected = undefined;
      host.keep(STORAGE_KEY, this.#axis);
      onAxis(this.#axis);
      this.#draw();
    });
    axes.setOptions(
      CURVE_AXES.map(value => ({ value, text: axisLabel(value) })),
      this.#axis,
    );
    findElement('over', HTMLDivElement).append(axes.element);
    // Focusable, so that the arrow keys work.
    drawing.tabIndex = 0;
    new ResizeObserver(() => this.#draw()).observe(drawing);
    drawing.addEventListener('pointermove', event => this.#selectNearest(event.clientX));
    drawing.addEventListener('pointerleave', () => this.#select(undefined));
    drawing.addEventListener('blur', () => this.#select(undefined));
    drawing.addEventListener('keydown', event => {
      const next = isCombined(event) ? 'stay' : this.#indexAfterKey(event.key);
      if (next === 'stay') return;
      event.preventDefault();
      this.#select(next);
    });
  }

  show({ run, curve, of }: RunState): void {
    const before = this.#run;
    const isNew = run !== before.run;
    if (!isNew && of === before.of && isSameCurve(curve, before.curve)) return;
    this.#run = { run, curve, of };
    if (isNew) this.#selected = undefined;
    showRates(curve);
    showRows(curve);
    const last = curve.findLast(({ split }) => split === 'test') ?? curve.at(-1);
    drawing.setAttribute(
      'aria-label',
      last === undefined
        ? 'No evaluation yet'
        : `Tasks solved; after ${formatClock(last.seconds)}, ${pointLabel(last)}`,
    );
    this.#draw();
  }

  #draw(): void {
    const size = { width: drawing.clientWidth, height: drawing.clientHeight };
    if (size.width === 0) return;
    const over = this.#axis;
    const plot = layOutCurve(this.#run.curve, over, over === 'seconds' ? this.#run.of : 0, size);
    this.#plot = plot;
    const { box, ticks, lines, x, y } = plot;
    const svg = shape('svg', { ...size, viewBox: `0 0 ${size.width} ${size.height}`, 'aria-hidden': 'true' });
    for (const rate of [0, 0.25, 0.5, 0.75, 1]) {
      svg.append(shape('line', { class: 'grid', x1: box.left, x2: box.right, y1: y(rate), y2: y(rate) }));
      svg.append(label(formatPercent(rate), { x: box.left - 8, y: y(rate) + 4, 'text-anchor': 'end' }));
    }
    for (const tick of ticks) {
      const anchor = tick === 0 ? 'start' : x(tick) > box.right - 20 ? 'end' : 'middle';
      svg.append(label(tickLabel(over, tick), { x: x(tick), y: box.bottom + 19, 'text-anchor': anchor }));
    }
    // Bands under all lines; the first split on top.
    for (const { split, band } of lines) svg.append(shape('path', { class: `band ${split}`, d: band }));
    for (const { split, path, points } of [...lines].reverse()) {
      svg.append(shape('path', { class: `line ${split}`, d: path }));
      const end = points.at(-1);
      if (end !== undefined) svg.append(dot(plot, over, end));
    }
    if (this.#run.curve.length === 0) {
      const middle = {
        x: (box.left + box.right) / 2,
        y: y(0.61),
        'text-anchor': 'middle',
      };
      svg.append(label('No evaluation yet. The first one follows soon.', middle));
    }
    svg.append(shape('g', { id: 'cursor' }));
    drawing.replaceChildren(svg);
    this.#select(this.#selected);
  }

  #selectNearest(clientX: number): void {
    const plot = this.#plot;
    if (plot === undefined) return;
    const across = clientX - drawing.getBoundingClientRect().left;
    const distances = positionsOf(this.#run.curve, this.#axis).map(place => Math.abs(plot.x(place) - across));
    this.#select(distances.length === 0 ? undefined : distances.indexOf(Math.min(...distances)));
  }

  #indexAfterKey(key: string): number | undefined | 'stay' {
    const last = positionsOf(this.#run.curve, this.#axis).length - 1;
    if (key === 'Escape') return undefined;
    if (last < 0) return 'stay';
    if (key === 'Home') return 0;
    if (key === 'End') return last;
    if (key === 'ArrowLeft') return Math.max(0, (this.#selected ?? last + 1) - 1);
    if (key === 'ArrowRight') return Math.min(last, (this.#selected ?? -1) + 1);
    return 'stay';
  }

  #select(at: number | undefined): void {
    this.#selected = at;
    const plot = this.#plot;
    const over = this.#axis;
    const position = at === undefined ? undefined : positionsOf(this.#run.curve, over)[at];
    const cursor = drawing.querySelector('#cursor');
    readout.hidden = position === undefined;
    cursor?.replaceChildren();
    if (plot === undefined || position === undefined) return;
    const { box, x } = plot;
    const points = latestAt(plot.lines, over, position);
    cursor?.append(
      shape('line', { class: 'cursor', x1: x(position), x2: x(position), y1: box.top, y2: box.bottom }),
      ...points.map(point => dot(plot, over, point)),
    );
    readout.replaceChildren(
      make('p', { class: 'moment', text: positionLabel(over, position) }),
      ...points.map(point => make('p', { class: point.split, text: pointLabel(point) })),
    );
    // On the side of the cursor that has room.
    const isRight = x(position) > (box.left + box.right) / 2;
    readout.style.left = isRight ? '' : `${x(position) + 12}px`;
    readout.style.right = isRight ? `${drawing.clientWidth - x(position) + 12}px` : '';
  }
}

const pointLabel = (point: EvaluationPoint): string =>
  [
    `${splitLabel(point.split)}: ${formatPercent(point.rate)} (${formatInterval(point)})`,
    ...extraFindings(point),
  ].join(', ');

function showRates(curve: readonly EvaluationPoint[]): void {
  const items = CURVE_SPLITS.flatMap(split => {
    const last = curve.findLast(each => each.split === split);
    if (last === undefined) return [];
    return make(
      'li',
      { class: split, title: `Solved: ${attemptsLabel(last)}` },
      make('span', { class: 'name', text: splitLabel(split) }),
      make('span', { class: 'rate', text: formatPercent(last.rate) }),
      make('span', { class: 'faint', text: formatInterval(last) }),
    );
  });
  rates.replaceChildren(...items);
}

function showRows(curve: readonly EvaluationPoint[]): void {
  const cells = (point: EvaluationPoint) => [
    formatClock(point.seconds),
    formatCount(point.steps),
    splitLabel(point.split),
    formatPercent(point.rate),
    formatInterval(point),
    attemptsLabel(point),
    formatCount(point.version),
  ];
  // Newest first.
  const newest = [...curve].sort((a, b) => b.seconds - a.seconds);
  rows.replaceChildren(
    ...newest.map(point => make('tr', {}, ...cells(point).map(text => make('td', { text })))),
  );
}

const dot = ({ x, y }: CurvePlot, over: CurveAxis, point: EvaluationPoint): SVGElement =>
  shape('circle', { class: `dot ${point.split}`, cx: x(point[over]), cy: y(point.rate), r: 4 });

function label(text: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const made = shape('text', attributes);
  made.textContent = text;
  return made;
}

function shape(tag: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const made = document.createElementNS(SVG, tag);
  if (!(made instanceof SVGElement)) throw new TypeError(`'${tag}' is not an SVG element.`);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}
