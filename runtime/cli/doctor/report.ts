// Runs the checks, and shows their findings as a table or as JSON.

import { ConfigError } from '../../config/settings.ts';
import { BoundaryError } from '../../core/failure.ts';
import { type Finding, problem, reasonOf } from '../../core/finding.ts';
import { RunFolderError } from '../../run/folders/run-folder.ts';
import { findingRows } from '../terminal/finding-rows.ts';
import { faint, type StyledLine } from '../terminal/line.ts';

export type DoctorChecks = Readonly<Record<string, () => Finding | Promise<Finding>>>;

/** In order. A check that throws becomes a finding; the others still run. */
export async function runChecks(checks: DoctorChecks): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  // In sequence: the checks measure the machine and would disturb each other.
  for (const [name, check] of Object.entries(checks)) {
    try {
      findings.push(await check());
    } catch (error) {
      const remedy = isCorrectable(error)
        ? "Remove the cause above, then run 'dartboard doctor' again."
        : 'The check itself is broken. Please report it.';
      findings.push(problem(name, `the check failed: ${reasonOf(error)}`, remedy));
    }
  }
  return findings;
}

/** Their messages name a cause that the user can remove. */
const CORRECTABLE = [BoundaryError, ConfigError, RunFolderError];

/** True if the cause is outside the program: an error of the operating system has the system call that failed. */
function isCorrectable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return 'syscall' in error || CORRECTABLE.some(each => error instanceof each) || isCorrectable(error.cause);
}

/** One row per finding, with its remedy below it. */
export const report = (findings: readonly Finding[], width: number): readonly StyledLine[] => [
  ...findingRows(findings, width),
  [],
  [faint(verdict(findings))],
];

/** 1 if a required part is missing. */
export const exitCode = (findings: readonly Finding[]): 0 | 1 => (findings.some(isProblem) ? 1 : 0);

export const reportJson = (findings: readonly Finding[]): string =>
  JSON.stringify({ ok: exitCode(findings) === 0, findings });

const isProblem = ({ state }: Finding): boolean => state === 'problem';

function verdict(findings: readonly Finding[]): string {
  const problems = findings.filter(isProblem).length;
  if (problems > 0)
    return `Dartboard cannot train here: fix ${problems === 1 ? 'the problem' : 'the problems'} above.`;
  const warnings = findings.filter(({ state }) => state === 'warning').length;
  if (warnings > 0) return 'Dartboard can train here. See the warnings above.';
  return 'Dartboard can train here.';
}
