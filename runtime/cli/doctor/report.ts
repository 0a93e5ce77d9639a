// Findings as a table for a person, or as JSON for a program. Pure.

import type { Finding } from '../../core/finding.ts';
import { accent, faint, type Line, plain, strong, type Tone } from '../terminal/line.ts';

const TONES: Readonly<Record<Finding['state'], Tone>> = { ok: 'good', warning: 'accent', trouble: 'poor' };

/** A line each, and its remedy below it. */
export function report(findings: readonly Finding[]): readonly Line[] {
  const width = (of: (finding: Finding) => string) => Math.max(0, ...findings.map(each => of(each).length));
  const [names, states] = [width(({ name }) => name), width(({ state }) => state)];
  const rows = findings.flatMap(({ name, state, says, remedy }): readonly Line[] => [
    [
      { text: state.padEnd(states), tone: TONES[state] },
      strong(`  ${name.padEnd(names)}`),
      plain(`  ${says}`),
    ],
    ...(remedy === undefined ? [] : [[plain(' '.repeat(states + names + 4)), accent('→ '), plain(remedy)]]),
  ]);
  return [...rows, [], [faint(verdict(findings))]];
}

/** 1 only where something that is needed is missing. */
export const exitCode = (findings: readonly Finding[]): 0 | 1 => (findings.some(isTrouble) ? 1 : 0);

export const reportJson = (findings: readonly Finding[]): string =>
  JSON.stringify({ ok: exitCode(findings) === 0, findings });

const isTrouble = ({ state }: Finding): boolean => state === 'trouble';

function verdict(findings: readonly Finding[]): string {
  const troubles = findings.filter(isTrouble).length;
  if (troubles > 0)
    return `Dartboard cannot train here until ${troubles === 1 ? 'that is' : 'those are'} mended.`;
  const warnings = findings.filter(({ state }) => state === 'warning').length;
  if (warnings > 0) return 'Dartboard can train here, though something could be better.';
  return 'All is well: Dartboard can train here.';
}
