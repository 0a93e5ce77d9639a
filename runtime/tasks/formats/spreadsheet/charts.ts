// The charts of a sheet: their type, series, titles, legend and place.

import type { OfficePackage } from '../office-package.ts';
import { attribute, child, children, type Element, rootOf } from '../xml.ts';
import { parseNumber } from './attributes.ts';

/** The cells between which a chart lies, counted from 0. */
export interface TwoCellAnchor {
  readonly editAs: string | null;
  readonly fromColumn: number;
  readonly toColumn: number;
  readonly toRow: number;
}

export interface Chart {
  /** The element of the first plot, such as `barChart`. */
  readonly type: string;
  /** The values and the categories of the series of the first plot, which identify the chart. */
  readonly series: string;
  readonly title: string | null;
  readonly legend: string | null;
  /** `bar` or `col`; null for charts without bars. */
  readonly direction: string | null;
  readonly xTitle: string | null;
  readonly yTitle: string | null;
  readonly zTitle: string | null;
  /** Undefined for a chart that lies at one cell or at a fixed place. */
  readonly anchor: TwoCellAnchor | undefined;
}

const ANCHORS = ['absoluteAnchor', 'oneCellAnchor', 'twoCellAnchor'];

/** The charts of the drawings of a sheet; those of a kind that openpyxl does not read are left out. */
export const readCharts = (office: OfficePackage, sheetPath: string): readonly Chart[] =>
  office
    .relationships(sheetPath)
    .filter(({ type }) => type === 'drawing')
    .flatMap(({ target }) => readDrawing(office, target));

function readDrawing(office: OfficePackage, path: string): readonly Chart[] {
  const document = office.xml(path);
  if (document === undefined) return [];
  const targets = new Map(office.relationships(path).map(({ id, target }) => [id, target]));
  const anchors = ANCHORS.flatMap(name => children(rootOf(document), name));
  return anchors.flatMap(anchor => {
    const frame = child(anchor, 'graphicFrame', 'graphic', 'graphicData', 'chart');
    const part = office.xml(targets.get(attribute(frame, 'id') ?? '') ?? '');
    const chart = part && child(rootOf(part), 'chart');
    const read = chart && readChart(chart, readAnchor(anchor));
    return read === undefined ? [] : [read];
  });
}

function readAnchor(element: Element): TwoCellAnchor | undefined {
  if (element.localName !== 'twoCellAnchor') return undefined;
  const [from, to] = [child(element, 'from'), child(element, 'to')];
  const number = (marker: Element | undefined, name: string): number =>
    parseNumber(child(marker, name)?.textContent ?? '0');
  return {
    editAs: attribute(element, 'editAs') ?? null,
    fromColumn: number(from, 'col'),
    toColumn: number(to, 'col'),
    toRow: number(to, 'row'),
  };
}

function readChart(chart: Element, anchor: TwoCellAnchor | undefined): Chart | undefined {
  const area = child(chart, 'plotArea');
  const plots = area === undefined ? [] : children(area).filter(each => each.localName?.endsWith('Chart'));
  const [plot] = plots;
  if (area === undefined || plot === undefined) return undefined;
  const series = children(plot, 'ser').map(each => ({ order: orderOf(each), text: seriesText(each) }));
  const texts = series.toSorted((a, b) => a.order - b.order).map(({ text }) => text);
  if (texts.some(text => text === undefined)) return undefined;
  const legend = child(chart, 'legend');
  const type = plot.localName ?? '';
  return {
    type,
    series: texts.join(';'),
    title: titleOf(chart),
    legend: legend === undefined ? null : (attribute(child(legend, 'legendPos'), 'val') ?? 'r'),
    direction: /^bar(3D)?Chart$/.test(type) ? (attribute(child(plot, 'barDir'), 'val') ?? 'col') : null,
    ...axisTitles(area, plot),
    anchor,
  };
}

const orderOf = (series: Element): number => Number(attribute(child(series, 'order'), 'val') ?? '0');

/** The references to the values and the categories; undefined for categories without a source. */
function seriesText(series: Element): string | undefined {
  for (const name of ['cat', 'xVal']) {
    const source = child(series, name);
    if (source !== undefined && children(source).length === 0) return undefined;
  }
  const reference = (source: string, ...kinds: readonly string[]): string => {
    const found = kinds.map(kind => child(series, source, kind)).find(each => each !== undefined);
    if (found === undefined) return '';
    return child(found, 'f')?.textContent || 'None';
  };
  return `${reference('val', 'numRef')},${reference('cat', 'numRef', 'strRef')}`;
}

/** The first run of the first paragraph. An automatic title is empty. */
function titleOf(parent: Element | undefined): string | null {
  const title = child(parent, 'title');
  if (title === undefined) return null;
  const run = child(title, 'tx', 'rich', 'p', 'r');
  return run === undefined ? '' : child(run, 't')?.textContent || 'None';
}

/** A scatter chart has two axes of values; the first is the horizontal one. */
function axisTitles(area: Element, plot: Element): Pick<Chart, 'xTitle' | 'yTitle' | 'zTitle'> {
  const axes = new Map(
    children(area)
      .filter(each => each.localName?.endsWith('Ax'))
      .map(axis => [attribute(child(axis, 'axId'), 'val'), axis]),
  );
  const used = children(plot, 'axId').flatMap(id => axes.get(attribute(id, 'val')) ?? []);
  const isScatter = plot.localName === 'scatterChart' || plot.localName === 'bubbleChart';
  const last = (...names: readonly string[]): Element | undefined =>
    used.findLast(axis => names.includes(axis.localName ?? ''));
  const [x, y] = isScatter ? used : [last('catAx', 'dateAx'), last('valAx')];
  return { xTitle: titleOf(x), yTitle: titleOf(y), zTitle: titleOf(last('serAx')) };
}
