// The score of a script on a real desktop.

import type { Desktop } from '../../../../runtime/core/desktop.ts';
import type { Seed } from '../../../../runtime/core/ids.ts';
import type { SolutionScript } from '../../../../runtime/environments/template/solution.ts';
import type { ScriptedSuite } from '../../../../runtime/environments/template/suite.ts';
import { playScript } from '../../../../runtime/environments/template/task-scripts.ts';

export async function scoreOf(
  desktop: Desktop,
  suite: ScriptedSuite,
  id: string,
  seed: Seed,
  script: SolutionScript,
): Promise<number> {
  return (await playScript(desktop, suite, { id, seed }, script)).score;
}
