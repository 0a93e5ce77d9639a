// The entry of the trainer's process: it holds the weights that are trained.

import { appendFile, mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { EntropyMask } from '../../contracts/batch.ts';
import type { RunId } from '../../contracts/ids.ts';
import { seeded } from '../../contracts/world.ts';
import { loadRuntime } from '../../graph/runtime.ts';
import { openSession } from '../../graph/session.ts';
import type { NetworkShape } from '../../policy/network.ts';
import { firstWeights } from '../../policy/programs.ts';
import type { TrainingRecipe } from '../../trainer/recipe.ts';
import { Trainer } from '../../trainer/trainer.ts';
import { systemClock } from '../clock.ts';
import { RunLock, thisMachine } from '../run-lock.ts';
import { runModule } from './module-child.ts';
import { takeTurn } from './turn.ts';

export interface TrainerStart {
  readonly run: RunId;
  readonly shape: NetworkShape;
  readonly recipe: TrainingRecipe;
  readonly seed: string;
  /** The folder of its checkpoints. */
  readonly checkpoints: string;
  /** Where it is written which steps of a group trained. */
  readonly masks: string;
  /** Held as long as it has the checkpoints. */
  readonly lock: string;
}

runModule<TrainerStart>(async ({ run, shape, recipe, seed, checkpoints, masks, lock }, fabric, signal) => {
  const runtime = await loadRuntime('any');
  const random = seeded(seed);
  const chance = random.fork('weights');
  await mkdir(dirname(masks), { recursive: true });
  const turn = new RunLock(lock, thisMachine);
  await takeTurn(turn, () => rm(lock, { force: true }), systemClock);
  const trainer = await Trainer.open({
    run,
    engine: { open: program => openSession(runtime, program) },
    shape,
    recipe,
    weights: firstWeights(shape, () => chance.next()),
    checkpoints,
    channels: {
      batches: fabric.batches.taker(),
      lessons: fabric.lessons.taker(),
      needs: fabric.needs,
      weights: fabric.weights,
      events: fabric.events,
      commands: fabric.commands,
    },
    keep: (mask: EntropyMask) => appendFile(masks, `${JSON.stringify(mask)}\n`),
    clock: systemClock,
    random,
  });
  return async () => {
    await trainer.run(signal);
    await trainer.close();
    await turn.release();
  };
});
