// Findings as rows: the state, the name, the text, and the remedy below it. Texts wrap within their column. Pure.

import type { Finding } from '../../core/finding.ts';
import { accent, plain, type StyledLine, strong, type TextTone } from './line.ts';
import { wrapped } from './wrap.ts';

const TONES: Readonly<Record<Finding['state'], TextTone>> = {
  ok: 'good',
  warning: 'accent',
  problem: 'poor',
};

const GAP = 2;
/** Narrower columns are harder to read than lines that the terminal wraps. */
const MIN_TEXT_WIDTH = 24;

export function findingRows(findings: readonly Finding[], width: number): readonly StyledLine[] {
  const longest = (of: (finding: Finding) => string) => Math.max(0, ...findings.map(each => of(each).length));
  const [names, states] = [longest(({ name }) => name), longest(({ state }) => state)];
  const margin = states + names + 2 * GAP;
  const room = Math.max(MIN_TEXT_WIDTH, width - margin);
  const space = plain(' '.repeat(margin));
  return findings.flatMap(({ name, state, says, remedy }): readonly StyledLine[] => {
    const [first = '', ...rest] = wrapped(says, room);
    return [
      [
        { text: state.padEnd(states), tone: TONES[state] },
        strong(`  ${name.padEnd(names)}`),
        plain(`  ${first}`),
      ],
      ...rest.map((text): StyledLine => [space, plain(text)]),
      ...(remedy === undefined ? [] : arrowLines(remedy, room).map((line): StyledLine => [space, ...line])),
    ];
  });
}

/** A text behind an arrow. */
export const arrowLines = (text: string, width: number): readonly StyledLine[] =>
  wrapped(text, width - 2).map((line, index) => [index === 0 ? accent('→ ') : plain('  '), plain(line)]);
