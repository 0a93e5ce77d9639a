// Random paragraphs of cases, as values that can be changed before they are written.

import type { Random } from '../../../core/rng.ts';
import type { TaskFile } from '../../../tasks/metrics/metric.ts';
import { once, pick } from './documents-damage.ts';
import {
  contentControl,
  type DocxParts,
  docx,
  hyperlink,
  inserted,
  paragraph,
  run,
  sectionProperties,
} from './documents-docx.ts';
import { words } from './words.ts';

export interface Piece {
  readonly text: string;
  readonly properties?: string;
  /** Elements after the text of the run. */
  readonly more?: string;
}

export interface Block {
  readonly pieces: readonly Piece[];
  readonly properties?: string;
}

export const SPECIAL_TEXTS = [
  '',
  '   ',
  'name\tvalue',
  'two\nlines',
  'a  wide   gap',
  'no\u00a0break',
  '日本語の文書',
  'smile 😀 end',
  '\uffe6 before 😀',
  'MIXED Case Ünicode',
  ' leading and trailing ',
];

/** The text of a paragraph: mostly plain words. */
export const textLine = (random: Random): string =>
  once(random, 4) ? pick(random, SPECIAL_TEXTS) : words(random, 2 + random.int(7)).join(' ');

export const textLines = (random: Random, most = 6): readonly string[] =>
  Array.from({ length: 1 + random.int(most) }, () => textLine(random));

/** One to three runs a paragraph, all of plain words. */
export const blocks = (random: Random, count = 1 + random.int(5)): readonly Block[] =>
  Array.from({ length: count }, () => ({
    pieces: Array.from({ length: 1 + random.int(3) }, () => ({ text: `${words(random, 2).join(' ')} ` })),
  }));

export const blockXml = ({ pieces, properties = '' }: Block): string =>
  paragraph(pieces.map(({ text, properties: format, more }) => run(text, format, more)).join(''), properties);

export const blocksDocx = (
  name: string,
  content: readonly Block[],
  parts: Omit<DocxParts, 'body'> = {},
): TaskFile => docx(name, { ...parts, body: content.map(blockXml).join('') + sectionProperties() });

/** Gives each piece properties, drawn for it alone. */
export const formatted = (
  content: readonly Block[],
  properties: (piece: Piece, index: number) => string,
): readonly Block[] =>
  content.map(block => ({
    ...block,
    pieces: block.pieces.map((piece, index) => ({ ...piece, properties: properties(piece, index) })),
  }));

export const replaced = <T>(items: readonly T[], index: number, change: (item: T) => T): readonly T[] =>
  items.map((item, place) => (place === index ? change(item) : item));

/** Writes texts as paragraphs of one or more runs, among things that do not count as text of the body. */
export function textDocx(random: Random, name: string, texts: readonly string[]): TaskFile {
  const body = texts.map(text => textParagraph(random, text));
  if (once(random, 5)) body.splice(random.int(body.length + 1), 0, contentControl(paragraph(run('hidden'))));
  return docx(name, { body: body.join('') + sectionProperties() });
}

const LIBREOFFICE_FORMAT =
  '<w:pStyle w:val="Normal"/><w:bidi w:val="0"/><w:jc w:val="start"/><w:rPr></w:rPr>';

function textParagraph(random: Random, text: string): string {
  const format = pick(random, ['', '', LIBREOFFICE_FORMAT]);
  const middle = random.int(text.length + 1);
  // A pair of code units stays in one run.
  const split = /[\udc00-\udfff]/.test(text.charAt(middle)) ? middle + 1 : middle;
  const [start, end] = [text.slice(0, split), text.slice(split)];
  const content = pick(random, [
    run(text),
    run(text),
    run(start) + run(end, '<w:b/>'),
    run(start, '<w:i/>') + hyperlink(run(end)),
    `<w:bookmarkStart w:id="0" w:name="top"/>${run(start)}<w:bookmarkEnd w:id="0"/><w:proofErr w:type="spellEnd"/>${run(end)}`,
    run(text, '', '<w:lastRenderedPageBreak/><w:br w:type="page"/>'),
    `<w:smartTag>${run('unseen')}</w:smartTag>${run(text)}`,
    once(random, 3) ? run(start) + inserted(run(end)) : run(text),
  ]);
  return paragraph(content, format);
}
