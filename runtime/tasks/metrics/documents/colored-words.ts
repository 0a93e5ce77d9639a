// Metric of colours in tables.

import type { Docx } from '../../formats/document/docx.ts';
import { paragraphsOf, runsOf } from '../../formats/document/paragraph.ts';
import { fontColor, runText } from '../../formats/document/run.ts';
import { rowCells, tablesOf } from '../../formats/document/table.ts';
import type { Element } from '../../formats/xml.ts';
import { colorDifference } from '../../similarity/color-difference.ts';
import { type Metrics, pass } from '../metric.ts';
import { numberOf } from './rules.ts';
import { scoreSameText } from './same-text.ts';

const RED = [255, 0, 0] as const;
const BLUE = [0, 0, 255] as const;

/** Two colours with a smaller difference look alike. */
const STANDARD_THRESHOLD = 3.5;

export const COLORED_WORD_METRICS = {
  /** The text is unchanged; in tables, runs that start with a vowel are red and others are blue. */
  evaluate_colored_words_in_tables: (result, expected, options) => {
    const threshold =
      numberOf(options, 'threshold', 'evaluate_colored_words_in_tables') ?? STANDARD_THRESHOLD;
    return scoreSameText(result, expected, 'evaluate_colored_words_in_tables', document =>
      pass(runsInTables(document).every(run => isColored(run, threshold))),
    );
  },
} satisfies Metrics;

const runsInTables = ({ body }: Docx): readonly Element[] =>
  tablesOf(body)
    .flatMap(table => rowCells(table).flat())
    .flatMap(paragraphsOf)
    .flatMap(runsOf);

function isColored(run: Element, threshold: number): boolean {
  const first = [...runText(run)][0];
  if (first === undefined) return true;
  const color = fontColor(run);
  const required = 'aeiou'.includes(first.toLowerCase()) ? RED : BLUE;
  return color !== undefined && colorDifference(color, required) <= threshold;
}
