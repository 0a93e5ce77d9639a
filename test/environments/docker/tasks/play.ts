// Plays a script on a real desktop.

import type { Desktop } from '../../../../runtime/core/desktop.ts';
import type { Seed } from '../../../../runtime/core/ids.ts';
import { type SolutionScript, solverOf } from '../../../../runtime/environments/template/solution.ts';
import type { ScriptedSuite } from '../../../../runtime/environments/template/suite.ts';

export async function scoreOf(
  desktop: Desktop,
  suite: ScriptedSuite,
  id: string,
  seed: Seed,
  script: SolutionScript,
): Promise<number> {
  let screen = await desktop.reset(suite.task(id, seed), seed);
  const solve = solverOf(id, script);
  for (;;) {
    const action = solve(screen);
    const { kind } = action;
    if (kind === 'finished' || kind === 'fail') return (await desktop.judge(kind)).score;
    screen = await desktop.act(action);
  }
}
