// A trainer that starts its engine for the first request: a server of chats alone does not need it. An engine that has ended is replaced at
// the next request, because the states of training are values of the models.

import type { DecoderEngine } from '../../agents/micro/decoder.ts';
import type { MicroTrainer } from '../../learner/micro/micro-trainer.ts';

export type TrainerCalls = Pick<MicroTrainer, 'assess' | 'accumulate' | 'step'>;

export interface TrainingEngine extends DecoderEngine {
  /** Resolves when the engine has ended. Never rejects. */
  readonly ended: Promise<unknown>;
  close(): Promise<void>;
}

export interface LazyTrainerOptions {
  readonly start: () => Promise<TrainingEngine>;
  readonly open: (engine: DecoderEngine) => Promise<TrainerCalls>;
}

/** Calls are queued, so that an engine that ends fails the call in work alone. */
export function lazyTrainer({ start, open }: LazyTrainerOptions): TrainerCalls {
  let opened: Promise<TrainerCalls> | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  const opening = async (): Promise<TrainerCalls> => {
    const engine = await start();
    try {
      const trainer = await open(engine);
      void engine.ended.then(() => {
        opened = undefined;
      });
      return trainer;
    } catch (error) {
      await engine.close();
      throw error;
    }
  };
  const inTurn = <X>(call: (trainer: TrainerCalls) => Promise<X>): Promise<X> => {
    const done = queue.then(async () => {
      opened ??= opening().catch((error: unknown) => {
        // The next call tries again.
        opened = undefined;
        throw error;
      });
      return call(await opened);
    });
    // The caller handles the error of `done`; the queue only waits for its end.
    queue = done.catch(() => undefined);
    return done;
  };
  return {
    assess: (...args) => inTurn(trainer => trainer.assess(...args)),
    accumulate: (...args) => inTurn(trainer => trainer.accumulate(...args)),
    step: (...args) => inTurn(trainer => trainer.step(...args)),
  };
}
