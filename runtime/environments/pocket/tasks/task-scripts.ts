// The scripts of a pocket template as a check plays them, on a machine without a desktop around it.

import type { Seed } from '../../../core/ids.ts';
import { isInfeasible, stepLimit } from '../../../core/task.ts';
import type { Ending } from '../../../core/verdict.ts';
import { evaluate } from '../../../tasks/evaluate.ts';
import type { CheckableTask, PlayScript, TaskScripts } from '../../task-check.ts';
import { answer, startOf } from '../getters.ts';
import { type PocketScript, ScriptedUser, steps } from './scripted-user.ts';
import { instanceFrom, taskFrom } from './suite.ts';
import type { PocketTemplate } from './template.ts';

export const checkablePocketTask = (template: PocketTemplate): CheckableTask => ({
  id: template.id,
  file: template.file ?? template.id,
  scripts: seed => pocketScripts(template, seed),
});

export function pocketScripts(template: PocketTemplate, seed: Seed): TaskScripts {
  const task = taskFrom(template, seed);
  const { solve, misses, shortened } = instanceFrom(template, seed);
  const playing =
    (script: PocketScript, ending: Ending = 'finished'): PlayScript =>
    async () => {
      const { machine, start } = startOf(task);
      const user = new ScriptedUser(machine);
      script(user);
      const verdict = await evaluate(task, ending, async getter => answer(getter, machine.world, start));
      return { ...verdict, actions: user.actions.length + Number(ending === 'fail') };
    };
  return {
    maxSteps: stepLimit(task),
    solution: playing(solve, isInfeasible(task) ? 'fail' : 'finished'),
    nothing: playing(steps()),
    misses: Object.fromEntries(Object.entries(misses).map(([name, script]) => [name, playing(script)])),
    shortened: () =>
      shortened === undefined || isInfeasible(task)
        ? []
        : shortened().map(({ script, ...about }) => ({ ...about, play: playing(script) })),
  };
}
