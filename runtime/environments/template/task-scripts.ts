// The scripts of template files as a check plays them, on a desktop of their kind.

import { actionError } from '../../core/action-error.ts';
import type { Desktop } from '../../core/desktop.ts';
import type { Seed } from '../../core/ids.ts';
import { isInfeasible } from '../../core/task.ts';
import { type CheckableTask, type PlayedScript, type PlayScript, withoutEach } from '../task-check.ts';
import { type SolutionScript, solverOf } from './solution.ts';
import type { ScriptedSuite } from './suite.ts';

export const checkableTasks = (suite: ScriptedSuite, desktop: Desktop): readonly CheckableTask[] =>
  suite.templates.map(({ id, file = id }) => ({
    id,
    file,
    scripts: seed => {
      const { maxSteps, solution, misses } = suite.made(id, seed);
      const playing =
        (script: SolutionScript): PlayScript =>
        () =>
          playScript(desktop, suite, { id, seed }, script);
      return {
        maxSteps,
        solution: playing(solution),
        nothing: playing([]),
        misses: Object.fromEntries(Object.entries(misses).map(([name, each]) => [name, playing(each)])),
        shortened: () =>
          isInfeasible(suite.task(id, seed))
            ? []
            : withoutEach(solution)
                .filter(({ step }) => solution[step - 1]?.[0] !== 'until')
                .map(({ rest, ...about }) => ({ ...about, play: playing(rest) })),
      };
    },
  }));

export async function playScript(
  desktop: Desktop,
  suite: ScriptedSuite,
  { id, seed }: { readonly id: string; readonly seed: Seed },
  script: SolutionScript,
): Promise<PlayedScript> {
  let screen = await desktop.reset(suite.task(id, seed), seed);
  const solve = solverOf(id, script);
  for (let actions = 0; ; actions++) {
    const action = solve(screen);
    const { kind } = action;
    if (kind === 'finished' || kind === 'fail')
      // An episode that reaches its limit has finished, and has not said that it failed.
      return { ...(await desktop.judge(kind)), actions: kind === 'fail' ? actions + 1 : actions };
    // A fault of the script, which a desktop would report as its own.
    const error = actionError(action, screen.pixels);
    if (error !== undefined) throw new RangeError(error);
    screen = await desktop.act(action);
  }
}
