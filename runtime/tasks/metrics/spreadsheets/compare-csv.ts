// Compares a CSV file with one of several expected ones, line by line.

import { strip } from '../../formats/python/text.ts';
import { expectedFile, isFile, type Metric, pass } from '../metric.ts';
import { sameValue } from '../same-value.ts';
import { linesOf } from './python-text.ts';

/** `strict` is on by default; without it, blanks at the ends of a line do not matter. */
export const compareCsv: Metric = (result, expected, { strict, ignore_case: ignoreCase }) => {
  if (!isFile(result)) return 0;
  const choices: readonly unknown[] = Array.isArray(expected) ? expected : [expected];
  const plain = (line: string): string => {
    const trimmed = strict === false ? strip(line) : line;
    return ignoreCase === true ? trimmed.toLowerCase() : trimmed;
  };
  const lines = linesOf(result.bytes).map(plain);
  return pass(
    choices.some(choice => sameValue(lines, linesOf(expectedFile(choice, 'compare_csv').bytes).map(plain))),
  );
};
