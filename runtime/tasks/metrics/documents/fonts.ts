// Metrics of fonts: their name, size, slant, line through the text, and position.

import { paragraphsOf, runsOf } from '../../formats/document/paragraph.ts';
import { fontName, fontSize, isItalic, isStruck, isSubscript } from '../../formats/document/run.ts';
import { EMU_PER_POINT } from '../../formats/document/value.ts';
import { type Metrics, pass } from '../metric.ts';
import { scoreDocument, scorePair } from './open-documents.ts';
import { textRule } from './rules.ts';
import { runPairs } from './run-pairs.ts';
import { scoreSameText } from './same-text.ts';

const REQUIRED_SIZE = 14 * EMU_PER_POINT;

export const FONT_METRICS = {
  /** Each run has the font of the rule itself, not by its style. */
  compare_font_names: (result, expected) => {
    const name = textRule(expected, 'font_name', 'compare_font_names');
    return scoreDocument(result, ({ body }) =>
      pass(
        paragraphsOf(body)
          .flatMap(runsOf)
          .every(run => fontName(run) === name),
      ),
    );
  },

  /** A run is subscript in both documents. */
  compare_subscript_contains: (result, expected) =>
    scorePair(result, expected, 'compare_subscript_contains', (document, gold) =>
      pass(runPairs(document, gold).some(([run, other]) => isSubscript(run) && isSubscript(other))),
    ),

  /** The text is unchanged, and each italic run has 14 points. */
  check_italic_font_size_14: (result, expected) =>
    scoreSameText(result, expected, 'check_italic_font_size_14', ({ body }) =>
      pass(
        paragraphsOf(body)
          .flatMap(runsOf)
          .every(run => !isItalic(run) || fontSize(run) === REQUIRED_SIZE),
      ),
    ),

  /** The text is unchanged, and each run of the last paragraph is struck through. */
  evaluate_strike_through_last_paragraph: (result, expected) =>
    scoreSameText(result, expected, 'evaluate_strike_through_last_paragraph', ({ body }) => {
      const last = paragraphsOf(body).at(-1);
      return pass(last !== undefined && runsOf(last).every(run => isStruck(run) === true));
    }),
} satisfies Metrics;
