// Compares source files in Python, without running them.

import { splitLines, strip, stripEnd } from '../../formats/python/text.ts';
import { type Metric, MetricError, pass } from '../metric.ts';
import { expectedText, resultText } from './compare-texts.ts';

const HEADER_STARTS = ['#!', '# -*- coding:', '# coding:', '# coding='];
/** The declarations of interpreter and encoding are in the first lines. */
const MAX_HEADER_LINES = 3;
const TAB_SIZE = 4;

/** Equal sources, apart from the header, empty lines, tabs and white space at the ends of lines. */
export const comparePythonPureText: Metric = (result, expected) => {
  const wanted = expectedText(expected, 'compare_python_pure_text');
  const found = resultText(result);
  return pass(found !== undefined && normalize(found) === normalize(wanted));
};

function normalize(source: string): string {
  const lines = splitLines(source);
  const isHeader = (line: string): boolean => HEADER_STARTS.some(start => strip(line).startsWith(start));
  const body = lines.slice(0, MAX_HEADER_LINES).findIndex(line => !isHeader(line));
  const start = body < 0 ? Math.min(MAX_HEADER_LINES, lines.length) : body;
  return lines
    .slice(start)
    .filter(line => strip(line) !== '')
    .map(line => stripEnd(expandTabs(line)))
    .join('\n');
}

function expandTabs(line: string): string {
  let expanded = '';
  let column = 0;
  for (const character of line) {
    const width = character === '\t' ? TAB_SIZE - (column % TAB_SIZE) : 1;
    expanded += character === '\t' ? ' '.repeat(width) : character;
    column += width;
  }
  return expanded;
}

/** OSWorld declares this metric without a body. */
export const checkPythonFileByGoldFile: Metric = () => {
  throw new MetricError(
    'check_python_file_by_gold_file is empty in OSWorld, so it has no score. Use compare_python_pure_text.',
  );
};
