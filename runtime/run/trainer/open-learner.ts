// Opens the learner that an agent names. Each kind keeps what it must remember in a folder of its own below the checkpoints.

import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { decodeMicro } from '../../agents/micro/weights-file.ts';
import type { AgentSettings } from '../../config/sections/agents.ts';
import type { LearnerSettings } from '../../config/sections/learner.ts';
import type { Clock } from '../../core/clock.ts';
import { namesIn } from '../../core/existing-file.ts';
import { seeded } from '../../core/rng.ts';
import { DurableFolder } from '../../data/files/durable.ts';
import { httpTransport } from '../../endpoints/http-transport.ts';
import { keySourceOf, resolveKey } from '../../endpoints/keys.ts';
import { startEngine } from '../../engine/engine.ts';
import { type FileLearnerOptions, openFileLearner } from '../../learner/file/file-learner.ts';
import type { Learner, PngSource } from '../../learner/learner.ts';
import { MicroLearner } from '../../learner/micro/micro-learner.ts';
import { TinkerClient } from '../../learner/tinker/client.ts';
import { TinkerLearner } from '../../learner/tinker/tinker-learner.ts';
import { unpackWeights } from '../../learner/tinker/unpack-weights.ts';

export interface LearnerContext {
  /** The folder of the checkpoints of the run. */
  readonly folder: string;
  readonly images: PngSource;
  /** The conversation of a step of a successful trajectory. */
  readonly exchangeOf: NonNullable<FileLearnerOptions['exchangeOf']>;
  readonly seed: string;
  /** Whether the objective has a KL term. */
  readonly needsReference: boolean;
  /** Has the keys. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The bundle of the engine's process. */
  readonly engineEntry: URL;
  readonly clock: Clock;
  /** Gets the reason why the learner waits for its server, and since when; undefined when the wait has ended. */
  readonly waiting: (reason: string | undefined, since: number) => void;
  readonly signal: AbortSignal;
}

type Settings<Kind extends LearnerSettings['kind']> = LearnerSettings & { readonly kind: Kind };

/** Rejects when the learner cannot be reached, or has the state of another model. */
export async function openLearner(
  agent: string,
  { learner, model = agent }: Pick<AgentSettings, 'learner' | 'model'>,
  context: LearnerContext,
): Promise<Learner> {
  if (learner === undefined)
    throw new RangeError(`The agent '${agent}' has no learner. Add 'learner' to its settings.`);
  switch (learner.kind) {
    case 'tinker':
      return openTinker(agent, { ...learner, kind: 'tinker' }, context);
    case 'file':
      return openFileLearner({
        ...{ folder: learner.folder ?? '', files: new DurableFolder(learner.folder ?? '') },
        ...{ model, images: context.images, exchangeOf: context.exchangeOf },
      });
    case 'in-process':
      return openMicro({ ...learner, kind: 'in-process' }, context);
  }
}

/** Servers store seeds as signed numbers of 32 bits. */
const MAX_SEED = 2 ** 31;

async function openTinker(
  agent: string,
  { url = '', base = '', rank = 32, key, reduction = 'sum', checkpoints }: Settings<'tinker'>,
  { folder, images, seed, needsReference, environment, clock, waiting, signal }: LearnerContext,
): Promise<Learner> {
  const transport = httpTransport();
  const client = new TinkerClient({
    ...{ name: `${agent}.learner`, url, transport, clock, waiting },
    ...(key !== undefined && { key: resolveKey(agent, keySourceOf(key), environment) }),
  });
  try {
    const learner = await TinkerLearner.open(
      {
        ...{ name: `${agent}.learner`, client, images, clock, needsReference, reduction },
        files: new DurableFolder(join(folder, 'tinker')),
        model: { baseModel: base, rank, seed: seeded(`${seed}/learner`).int(MAX_SEED) },
      },
      signal,
    );
    const publish = async (publishing: AbortSignal) => {
      const weights = await learner.publish(publishing);
      if (checkpoints === undefined) return weights;
      return unpackWeights(weights, resolve(checkpoints), clock, publishing);
    };
    return closing(learner, () => transport.close(), publish);
  } catch (error) {
    transport.close();
    throw error;
  }
}

async function openMicro(
  { weights: file = '' }: Settings<'in-process'>,
  { folder, images, engineEntry, clock }: LearnerContext,
): Promise<Learner> {
  const { shape, weights } = decodeMicro(await readFile(file), basename(file));
  const engine = await startEngine({ entry: engineEntry });
  try {
    // The servers that load the weights run in other folders.
    const path = resolve(folder, 'micro');
    const files = new DurableFolder(path);
    const learner = await MicroLearner.open({
      ...{ engine, shape, weights, images, clock },
      folder: {
        path,
        read: name => files.read(name),
        names: () => namesIn(path),
        write: (name, bytes) => files.write(name, bytes),
        remove: name => files.remove(name),
      },
    });
    return closing(learner, () => engine.close());
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** A learner that also releases what was opened for it. */
const closing = (
  learner: Learner,
  release: () => Promise<void> | void,
  publish: Learner['publish'] = signal => learner.publish(signal),
): Learner => ({
  get capabilities() {
    return learner.capabilities;
  },
  get step() {
    return learner.step;
  },
  get last() {
    return learner.last;
  },
  assess: (steps, weights, signal) => learner.assess(steps, weights, signal),
  update: (update, signal) => learner.update(update, signal),
  publish,
  save: (name, signal) => learner.save(name, signal),
  load: (saved, signal) => learner.load(saved, signal),
  forget: async saved => {
    await learner.forget?.(saved);
  },
  close: async () => {
    await learner.close();
    await release();
  },
});
