// The entry of the trainer's process.

import { rm } from 'node:fs/promises';
import type { NetworkShape } from '../../agents/compact/network.ts';
import { firstWeights } from '../../agents/compact/programs.ts';
import type { EntropyMask } from '../../core/batch.ts';
import type { RunId, Version } from '../../core/ids.ts';
import { thisProcess } from '../../core/process-identity.ts';
import { ofThisProcess, ProcessorTime } from '../../core/processor-time.ts';
import { seeded } from '../../core/rng.ts';
import { systemClock } from '../../core/system-clock.ts';
import { DurableFolder } from '../../data/files/durable.ts';
import { FolderLock } from '../../data/files/lock.ts';
import { RotatingLog } from '../../data/files/rotating-log.ts';
import { loadRuntime } from '../../graph/runtime.ts';
import { openSession, timedSession } from '../../graph/session.ts';
import type { TrainingRecipe } from '../../trainer/recipe.ts';
import { Trainer, type TrainerOptions } from '../../trainer/trainer.ts';
import { runModule } from '../module-child.ts';
import { METRICS_INTERVAL_MS, publishProcessorTime } from '../processor-figures.ts';
import { openTokenTrainer, type TokenTrainerOptions, type TokenTraining } from './train-tokens.ts';
import { acquireTrainerLock } from './trainer-lock.ts';

export interface TrainerStart {
  readonly run: RunId;
  readonly learns: HeadsTraining | TokenTraining;
  readonly seed: string;
  readonly checkpoints: string;
  /** The log of the steps of each group that trained. */
  readonly masks: string;
  /** The lock file of the checkpoints. */
  readonly lock: string;
  /** The newest version that the files of the run name, if it is resumed. */
  readonly usedVersion?: Version;
}

/** The built-in policy. */
export interface HeadsTraining {
  readonly kind: 'heads';
  readonly shape: NetworkShape;
  readonly recipe: TrainingRecipe;
}

runModule<TrainerStart>(async (start, fabric, signal) => {
  const { run, learns, seed, checkpoints, masks, lock, usedVersion } = start;
  const log = new RotatingLog<EntropyMask>(masks);
  const lockFile = new FolderLock(lock, 'the checkpoints of this run', thisProcess());
  await acquireTrainerLock(lockFile, () => rm(lock, { force: true }), systemClock);
  const time = new ProcessorTime();
  const shared = {
    ...{ run, seed, checkpoints, fabric, clock: systemClock, signal },
    files: new DurableFolder(checkpoints),
    keep: (mask: EntropyMask) => {
      log.note(mask);
      return log.flush();
    },
  };
  const trainer =
    learns.kind === 'heads'
      ? await openHeadsTrainer(learns, time, { ...shared, usedVersion })
      : await openTokenTrainer(learns, shared);
  const publishing = setInterval(() => {
    const figures = { training: time.seconds, trainer: ofThisProcess() };
    publishProcessorTime(fabric.events, 'trainer', systemClock.now(), figures);
  }, METRICS_INTERVAL_MS);
  return async () => {
    await trainer.run(signal);
    clearInterval(publishing);
    await trainer.close();
    await lockFile.release();
  };
});

async function openHeadsTrainer(
  { shape, recipe }: HeadsTraining,
  time: ProcessorTime,
  {
    run,
    seed,
    checkpoints,
    files,
    fabric,
    keep,
    clock,
    usedVersion,
  }: TokenTrainerOptions & Pick<TrainerOptions, 'usedVersion'>,
): Promise<Trainer> {
  const runtime = await loadRuntime('any');
  const random = seeded(seed);
  const chance = random.fork('weights');
  return Trainer.open({
    run,
    engine: { open: async program => timedSession(await openSession(runtime, program), time) },
    shape,
    recipe,
    weights: firstWeights(shape, () => chance.next()),
    usedVersion,
    checkpoints,
    files,
    channels: {
      batches: fabric.batches.taker(),
      lessons: fabric.lessons.taker(),
      needs: fabric.needs,
      weights: fabric.weights,
      averaged: fabric.averaged,
      events: fabric.events,
      commands: fabric.commands,
    },
    keep,
    clock,
    random,
  });
}
