// Metrics that compare the text of documents, paragraph by paragraph or as a whole.

import type { Docx } from '../../formats/document/docx.ts';
import { strip } from '../../formats/python/text.ts';
import { compareTexts } from '../../formats/python/values.ts';
import { ratio } from '../../similarity/ratio.ts';
import { type Metrics, type Options, pass } from '../metric.ts';
import { scoreNamedPair, scorePair, scoreTexts, textsOf } from './open-documents.ts';
import { isOn } from './rules.ts';
import { collapsed, isBlank } from './white-space.ts';

type Texts = readonly string[];

export const TEXT_COMPARISONS = {
  /** Two documents have equal or similar text. */
  compare_docx_files: (result, expected, options) =>
    scoreTexts(result, expected, 'compare_docx_files', (texts, wanted) =>
      textScore(arranged(texts, options), arranged(wanted, options), options),
    ),

  /** As compare_docx_files, without the empty paragraphs of docx files. Paragraphs of spaces stay. */
  compare_docx_files_and_ignore_new_lines: (result, expected, options) =>
    scoreNamedPair(result, expected, 'compare_docx_files_and_ignore_new_lines', (document, gold) =>
      textScore(filledTexts(document), filledTexts(gold), { ignore_blanks: options['ignore_blanks'] }),
    ),

  /** Two documents have the same set of lines: order, repetition and blank lines do not count. */
  compare_docx_lines: (result, expected) =>
    scorePair(result, expected, 'compare_docx_lines', (document, gold) => {
      const [lines, wanted] = [linesOf(textsOf(document)), linesOf(textsOf(gold))];
      return pass(lines.size === wanted.size && [...lines].every(line => wanted.has(line)));
    }),

  /** The shorter document is the beginning of the longer one. */
  compare_init_lines: (result, expected) =>
    scorePair(result, expected, 'compare_init_lines', (document, gold) => {
      const wanted = textsOf(gold);
      return pass(textsOf(document).every((text, index) => text === (wanted[index] ?? text)));
    }),
} satisfies Metrics;

const filledTexts = (document: Docx): Texts => textsOf(document).filter(text => text !== '');

/** The checks of compare_docx_files without options. */
export const haveSameText = (first: Texts, second: Texts): boolean => joined(first) === joined(second);

function textScore(texts: Texts, wanted: Texts, options: Options): number {
  const folded = (text: string) => (isOn(options, 'ignore_case') ? text.toLowerCase() : text);
  const [whole, wantedWhole] = [folded(joined(texts)), folded(joined(wanted))];
  const isFuzzy = isOn(options, 'fuzzy_match');
  if (isOn(options, 'content_only')) return ratio(whole, wantedWhole);
  if (isOn(options, 'ignore_blanks', true))
    return isFuzzy ? ratio(whole, wantedWhole) : pass(whole === wantedWhole);
  if (texts.length !== wanted.length) return 0;
  const pairs = texts.map((text, index) => [folded(text), folded(wanted[index] ?? '')] as const);
  if (!isFuzzy) return pass(pairs.every(([text, other]) => text === other));
  return pairs.length === 0 ? 1 : pairs.reduce((sum, pair) => sum + ratio(...pair), 0) / pairs.length;
}

const joined = (texts: Texts): string => collapsed(texts.join('\n'));

function arranged(texts: Texts, options: Options): Texts {
  const ordered = isOn(options, 'ignore_order') ? [...texts].sort(compareTexts) : texts;
  return isOn(options, 'delete_empty_lines') ? ordered.filter(text => !isBlank(text)) : ordered;
}

const linesOf = (texts: Texts): ReadonlySet<string> => new Set(texts.map(strip).filter(text => text !== ''));
