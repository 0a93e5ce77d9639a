// The text of a page as pdfplumber extracts it: glyphs are sorted into lines by their height, and into words by their distance.

import { glyphsOf, type PdfGlyph } from './glyphs.ts';
import type { PdfPage } from './open-pdf.ts';

/** In points, along and across lines. */
const TOLERANCE = 3;

interface Character {
  readonly text: string;
  readonly isUpright: boolean;
  readonly left: number;
  readonly right: number;
  /** Downwards from the top of the page. */
  readonly top: number;
  readonly bottom: number;
}

interface Word {
  readonly text: string;
  readonly top: number;
}

const LIGATURES: Readonly<Record<string, string>> = {
  ...{ ﬀ: 'ff', ﬃ: 'ffi', ﬄ: 'ffl', ﬁ: 'fi', ﬂ: 'fl', ﬆ: 'st', ﬅ: 'st' },
};

/** Words are separated by one space, lines by a line break. Words whose heights differ a little are in one line if they are neighbours. */
export function wordText(page: PdfPage): string {
  const characters = glyphsOf(page).map(glyph => characterOf(glyph, page.box[3]));
  const words = groupsOf(characters).flatMap(wordsOf);
  const clusters = clustersOf(words.map(({ top }) => top));
  return words
    .map(({ text, top }, index) => {
      const last = words[index - 1];
      if (last === undefined) return text;
      return `${clusters.get(last.top) === clusters.get(top) ? ' ' : '\n'}${text}`;
    })
    .join('');
}

function characterOf({ text, matrix, advance, descent }: PdfGlyph, pageTop: number): Character {
  const [a, b, c, d, e, f] = matrix;
  const corners = [
    [0, descent],
    [advance, descent + 1],
  ].map(([x = 0, y = 0]) => [a * x + c * y + e, b * x + d * y + f] as const);
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return {
    text: LIGATURES[text] ?? text,
    isUpright: b === 0 && c === 0 && a * d > 0,
    left: Math.min(...xs),
    right: Math.max(...xs),
    top: pageTop - Math.max(...ys),
    bottom: pageTop - Math.min(...ys),
  };
}

/** Neighbours in the order of drawing that are upright, or are not. */
function groupsOf(characters: readonly Character[]): readonly (readonly Character[])[] {
  const groups: Character[][] = [];
  for (const character of characters) {
    const last = groups.at(-1);
    if (last?.[0]?.isUpright === character.isUpright) last.push(character);
    else groups.push([character]);
  }
  return groups;
}

/** Rotated text runs from top to bottom, and its lines from left to right. */
function wordsOf(group: readonly Character[]): readonly Word[] {
  const isUpright = group[0]?.isUpright === true;
  const start = (each: Character): number => (isUpright ? each.left : each.top);
  const end = (each: Character): number => (isUpright ? each.right : each.bottom);
  const line = (each: Character): number => (isUpright ? each.top : each.left);
  const words: Word[] = [];
  for (const characters of clustered(group, line)) {
    let word: Character[] = [];
    const finish = (): void => {
      if (word.length > 0)
        words.push({
          text: word.map(({ text }) => text).join(''),
          top: Math.min(...word.map(({ top }) => top)),
        });
      word = [];
    };
    for (const character of [...characters].sort((a, b) => start(a) - start(b))) {
      const last = word.at(-1);
      const isBlank = character.text.trim() === '';
      const isFar =
        last !== undefined &&
        (start(character) > end(last) + TOLERANCE || Math.abs(line(character) - line(last)) > TOLERANCE);
      if (isBlank || isFar) finish();
      if (!isBlank) word.push(character);
    }
    finish();
  }
  return words;
}

/** Puts items whose keys follow one another closely into one cluster, in their order; the clusters are in the order of the keys. */
function clustered<T>(items: readonly T[], keyOf: (item: T) => number): readonly (readonly T[])[] {
  const numbers = clustersOf(items.map(keyOf));
  const clusters: T[][] = [];
  for (const item of items) {
    const number = numbers.get(keyOf(item)) ?? 0;
    const cluster = clusters[number];
    if (cluster) cluster.push(item);
    else clusters[number] = [item];
  }
  return clusters;
}

/** The number of the cluster of each value. */
function clustersOf(values: readonly number[]): ReadonlyMap<number, number> {
  const sorted = [...new Set(values)].sort((a, b) => a - b);
  const clusters = new Map<number, number>();
  let [cluster, last] = [0, sorted[0] ?? 0];
  for (const value of sorted) {
    if (value > last + TOLERANCE) cluster += 1;
    clusters.set(value, cluster);
    last = value;
  }
  return clusters;
}
