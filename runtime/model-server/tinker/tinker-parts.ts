// Makes the parts of a Tinker server of one micro model.

import type { MicroDecoder } from '../../agents/micro/decoder.ts';
import type { SavedMicro } from '../../agents/micro/weights-file.ts';
import type { Clock } from '../../core/clock.ts';
import type { GenerationGate } from '../micro/generation-gate.ts';
import { Futures } from './futures.ts';
import type { TrainerCalls } from './lazy-trainer.ts';
import { SamplingRequests } from './sampling-requests.ts';
import { SavedWeights, type TinkerFolder } from './saved-weights.ts';
import { Sessions } from './sessions.ts';
import type { TinkerParts } from './tinker-routes.ts';
import { TrainingRequests } from './training-requests.ts';

export interface TinkerOptions {
  /** The name of the model that all others begin from. */
  readonly baseName: string;
  readonly base: SavedMicro;
  readonly trainer: TrainerCalls;
  readonly decoder: Pick<MicroDecoder, 'reply' | 'score'>;
  readonly gate: Pick<GenerationGate, 'through'>;
  readonly folder: TinkerFolder;
  readonly clock: Clock;
  /** A new and unique text of letters, digits and '-'. */
  readonly newId: () => string;
  readonly randomSeed: () => number;
}

export function tinkerParts(options: TinkerOptions): TinkerParts {
  const { baseName, folder, clock, newId } = options;
  const shared = {
    sessions: new Sessions(() => clock.now()),
    futures: new Futures(clock, newId),
    saved: new SavedWeights(folder),
  };
  return {
    ...{ ...shared, baseName, newId },
    training: new TrainingRequests({ ...options, ...shared }),
    sampling: new SamplingRequests({ ...options, ...shared }),
  };
}
