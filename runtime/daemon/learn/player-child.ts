// The entry of the player's process: desktops and the network that decides for them, side by side.

import { type TaskId, taskId } from '../../contracts/ids.ts';
import { seeded } from '../../contracts/world.ts';
import { POCKET } from '../../environments/pocket/tasks/suite.ts';
import { serve } from '../../graph/process/serve.ts';
import { loadRuntime } from '../../graph/runtime.ts';
import { openSession } from '../../graph/session.ts';
import { decidingProgram } from '../../policy/programs.ts';
import { systemClock } from '../clock.ts';
import type { PlayerCalls } from './calls.ts';
import { Player } from './player.ts';

await serve<PlayerCalls, null>(async () => {
  const runtime = await loadRuntime('any');
  let player: Player | undefined;
  const started = (): Player => {
    if (player === undefined) throw new RangeError('The player was not started.');
    return player;
  };
  return {
    about: null,
    handlers: {
      start: async ({ seed, shape, mode, recipe, tasks, weights }) => {
        const session = await openSession(runtime, decidingProgram(shape));
        const options = { tasks: tasks.map((id): TaskId => taskId(id)), mode, recipe, pixels: shape.pixels };
        player = new Player(POCKET, options, session, systemClock, seeded(seed));
        await player.weights(weights);
      },
      explore: ({ milliseconds }) => started().explore(milliseconds),
      play: ({ milliseconds }) => started().play(milliseconds),
      demonstrate: ({ instances }) => started().demonstrate(instances),
      weights: async weights => {
        await started().weights(weights);
      },
      evaluate: async ({ split, tasks, instances }) => {
        const results = await started().evaluate(split, tasks.map(taskId), instances);
        return results.map(({ task, success, score, played: { episode, ended } }) => ({
          task,
          success,
          score,
          why: ended.verdict.why,
          instruction: episode.instruction,
          actions: episode.actions,
        }));
      },
      counts: async () => started().counts(),
      memory: async () => process.resourceUsage().maxRSS / 1024,
    },
  };
});
