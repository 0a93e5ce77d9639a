// All checks, in the order in which one would ask; each as a function without arguments. One that breaks is a finding itself, and keeps
// none of the others from being made.

import { type Finding, reasonOf, trouble } from '../../core/finding.ts';

export type Checks = Readonly<Record<string, () => Finding | Promise<Finding>>>;

export async function examine(checks: Checks): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  // One after another: they measure the machine, and would disturb each other.
  for (const [name, check] of Object.entries(checks)) {
    try {
      findings.push(await check());
    } catch (error) {
      const remedy = 'This is a mistake of the check itself; please report it.';
      findings.push(trouble(name, `cannot be checked: ${reasonOf(error)}`, remedy));
    }
  }
  return findings;
}
