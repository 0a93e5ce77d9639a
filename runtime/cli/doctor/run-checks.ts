// Runs all checks in order. A check that throws becomes a finding; the others still run.

import { type Finding, reasonOf, trouble } from '../../core/finding.ts';

export type DoctorChecks = Readonly<Record<string, () => Finding | Promise<Finding>>>;

export async function runChecks(checks: DoctorChecks): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  // In sequence: the checks measure the machine and would disturb each other.
  for (const [name, check] of Object.entries(checks)) {
    try {
      findings.push(await check());
    } catch (error) {
      const remedy = 'The check itself is broken. Please report it.';
      findings.push(trouble(name, `the check failed: ${reasonOf(error)}`, remedy));
    }
  }
  return findings;
}
