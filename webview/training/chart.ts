// The success curve with its bands, drawn in SVG in as many pixels as it has on the page; read with the mouse or the arrow keys.

import type { CurvePoint, RunState } from '../../runtime/protocol/daemon/state.ts';
import { choice } from '../shared/controls.ts';
import { make, need } from '../shared/dom.ts';
import type { Host } from '../shared/host.ts';
import { counted, percent } from '../shared/words.ts';
import { knownAt, type Plot, placesOf, plotted } from './plot.ts';
import {
  AXES,
  type Axis,
  attempts,
  axisInWords,
  besides,
  clock,
  intervalOf,
  momentInWords,
  placeInWords,
  SPLITS,
  splitInWords,
} from './words.ts';

const KEPT = 'over';
const SVG = 'http://www.w3.org/2000/svg';

const drawing = need('plot', HTMLDivElement);
const readout = need('readout', HTMLDivElement);
const rates = need('rates', HTMLUListElement);
const rows = need('rows', HTMLTableSectionElement);

export class Chart {
  #run: Pick<RunState, 'run' | 'curve' | 'of'> = { run: '', curve: [], of: 0 };
  #plot: Plot | undefined;
  /** The measurement that is read, as its number among all places. */
  #at: number | undefined;
  #over: Axis;

  /** `turned` is told over what it is read. */
  constructor(host: Pick<Host, 'read' | 'keep'>, turned: (over: Axis) => void) {
    const kept = host.read(KEPT);
    this.#over = AXES.find(axis => axis === kept) ?? 'seconds';
    turned(this.#over);
    const axes = choice('The curve is read', value => {
      this.#over = AXES.find(axis => axis === value) ?? 'seconds';
      this.#at = undefined;
      host.keep(KEPT, this.#over);
      turned(this.#over);
      this.#draw();
    });
    axes.show(
      AXES.map(value => ({ value, text: axisInWords(value) })),
      this.#over,
    );
    need('over', HTMLDivElement).append(axes.element);
    // It is read with the keyboard.
    drawing.tabIndex = 0;
    new ResizeObserver(() => this.#draw()).observe(drawing);
    drawing.addEventListener('pointermove', event => this.#point(event.clientX));
    drawing.addEventListener('pointerleave', () => this.#read(undefined));
    drawing.addEventListener('blur', () => this.#read(undefined));
    drawing.addEventListener('keydown', event => {
      const next = this.#moved(event.key);
      if (next === 'stay') return;
      event.preventDefault();
      this.#read(next);
    });
  }

  show({ run, curve, of }: RunState): void {
    const before = this.#run;
    const isNew = run !== before.run;
    if (!isNew && of === before.of && curve.length === before.curve.length) return;
    this.#run = { run, curve, of };
    if (isNew) this.#at = undefined;
    showRates(curve);
    showRows(curve);
    const last = curve.findLast(({ split }) => split === 'test') ?? curve.at(-1);
    drawing.setAttribute(
      'aria-label',
      last === undefined ? 'No measurement yet' : `Tasks solved; after ${clock(last.seconds)}, ${said(last)}`,
    );
    this.#draw();
  }

  #draw(): void {
    const size = { width: drawing.clientWidth, height: drawing.clientHeight };
    if (size.width === 0) return;
    const over = this.#over;
    const plot = plotted(this.#run.curve, over, over === 'seconds' ? this.#run.of : 0, size);
    this.#plot = plot;
    const { box, ticks, lines, x, y } = plot;
    const svg = shape('svg', { ...size, viewBox: `0 0 ${size.width} ${size.height}`, 'aria-hidden': 'true' });
    for (const rate of [0, 0.25, 0.5, 0.75, 1]) {
      svg.append(shape('line', { class: 'grid', x1: box.left, x2: box.right, y1: y(rate), y2: y(rate) }));
      svg.append(label(percent(rate), { x: box.left - 8, y: y(rate) + 4, 'text-anchor': 'end' }));
    }
    for (const tick of ticks) {
      const anchor = tick === 0 ? 'start' : x(tick) > box.right - 20 ? 'end' : 'middle';
      svg.append(label(placeInWords(over, tick), { x: x(tick), y: box.bottom + 19, 'text-anchor': anchor }));
    }
    // Bands lie under all lines, and what matters most above the rest.
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
      svg.append(label('The first measurement is still to come.', middle));
    }
    svg.append(shape('g', { id: 'cursor' }));
    drawing.replaceChildren(svg);
    this.#read(this.#at);
  }

  #point(clientX: number): void {
    const plot = this.#plot;
    if (plot === undefined) return;
    const across = clientX - drawing.getBoundingClientRect().left;
    const distances = placesOf(this.#run.curve, this.#over).map(place => Math.abs(plot.x(place) - across));
    this.#read(distances.length === 0 ? undefined : distances.indexOf(Math.min(...distances)));
  }

  #moved(key: string): number | undefined | 'stay' {
    const last = placesOf(this.#run.curve, this.#over).length - 1;
    if (key === 'Escape') return undefined;
    if (last < 0) return 'stay';
    if (key === 'Home') return 0;
    if (key === 'End') return last;
    if (key === 'ArrowLeft') return Math.max(0, (this.#at ?? last + 1) - 1);
    if (key === 'ArrowRight') return Math.min(last, (this.#at ?? -1) + 1);
    return 'stay';
  }

  #read(at: number | undefined): void {
    this.#at = at;
    const plot = this.#plot;
    const over = this.#over;
    const moment = at === undefined ? undefined : placesOf(this.#run.curve, over)[at];
    const cursor = drawing.querySelector('#cursor');
    readout.hidden = moment === undefined;
    cursor?.replaceChildren();
    if (plot === undefined || moment === undefined) return;
    const { box, x } = plot;
    const known = knownAt(plot.lines, over, moment);
    cursor?.append(
      shape('line', { class: 'cursor', x1: x(moment), x2: x(moment), y1: box.top, y2: box.bottom }),
      ...known.map(point => dot(plot, over, point)),
    );
    readout.replaceChildren(
      make('p', { class: 'moment', text: momentInWords(over, moment) }),
      ...known.map(point => make('p', { class: point.split, text: said(point) })),
    );
    // Beside the line, on the side where there is room.
    const isRight = x(moment) > (box.left + box.right) / 2;
    readout.style.left = isRight ? '' : `${x(moment) + 12}px`;
    readout.style.right = isRight ? `${drawing.clientWidth - x(moment) + 12}px` : '';
  }
}

const said = (point: CurvePoint): string =>
  [`${splitInWords(point.split)}: ${percent(point.rate)} (${intervalOf(point)})`, ...besides(point)].join(
    ', ',
  );

function showRates(curve: readonly CurvePoint[]): void {
  const items = SPLITS.flatMap(split => {
    const last = curve.findLast(each => each.split === split);
    if (last === undefined) return [];
    return make(
      'li',
      { class: split, title: `Solved: ${attempts(last)}` },
      make('span', { class: 'name', text: splitInWords(split) }),
      make('span', { class: 'rate', text: percent(last.rate) }),
      make('span', { class: 'faint', text: intervalOf(last) }),
    );
  });
  rates.replaceChildren(...items);
}

function showRows(curve: readonly CurvePoint[]): void {
  const cells = (point: CurvePoint) => [
    clock(point.seconds),
    counted(point.steps),
    splitInWords(point.split),
    percent(point.rate),
    intervalOf(point),
    attempts(point),
    counted(point.version),
  ];
  // The newest first: the oldest are of least interest.
  const newest = [...curve].sort((a, b) => b.seconds - a.seconds);
  rows.replaceChildren(
    ...newest.map(point => make('tr', {}, ...cells(point).map(text => make('td', { text })))),
  );
}

const dot = ({ x, y }: Plot, over: Axis, point: CurvePoint): SVGElement =>
  shape('circle', { class: `dot ${point.split}`, cx: x(point[over]), cy: y(point.rate), r: 4 });

function label(text: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const made = shape('text', attributes);
  made.textContent = text;
  return made;
}

function shape(tag: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const made = document.createElementNS(SVG, tag);
  if (!(made instanceof SVGElement)) throw new TypeError(`'${tag}' is no shape of SVG.`);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}
