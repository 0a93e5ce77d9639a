// The entry of the performer's process: a policy that shows what it has learned, and learns nothing.

import { taskId } from '../../contracts/ids.ts';
import { seeded } from '../../contracts/world.ts';
import { POCKET } from '../../environments/pocket/tasks/suite.ts';
import { serve } from '../../graph/process/serve.ts';
import { loadRuntime } from '../../graph/runtime.ts';
import { openSession } from '../../graph/session.ts';
import { decidingProgram } from '../../policy/programs.ts';
import { attempt, type Performer, showingProgram } from './attempt.ts';
import type { PerformerCalls } from './calls.ts';
import { evaluatePolicy } from './evaluation.ts';
import { scoresOf } from './scores.ts';

await serve<PerformerCalls, null>(async () => {
  const runtime = await loadRuntime('any');
  let performer: Performer | undefined;
  const started = (): Performer => {
    if (performer === undefined) throw new RangeError('The performer was not started.');
    return performer;
  };
  return {
    about: null,
    handlers: {
      start: async ({ shape, mode, weights }) => {
        const deciding = await openSession(runtime, decidingProgram(shape));
        const showing = await openSession(runtime, showingProgram(shape));
        await deciding.write({ weights });
        await showing.write({ weights });
        performer = { deciding, showing, mode, pixels: shape.pixels };
      },
      evaluate: async ({ split, tasks, instances }) => {
        const { deciding, mode, pixels } = started();
        const random = seeded('evaluation');
        const options = { suite: POCKET, tasks: tasks.map(taskId), split, instances, mode, pixels, random };
        const results = await evaluatePolicy(deciding, options);
        return scoresOf(results);
      },
      attempt: ({ place, instruction, steps }) => attempt(started(), place, instruction, steps),
    },
  };
});
