// A trainer that starts its engine for the first request: a server of chats alone does not need it. An engine that has ended is replaced.
// This loses no state: the states of training are values of the models.

import type { DecoderEngine } from '../../agents/micro/decoder.ts';
import type { MicroTrainer } from '../../learner/micro/micro-trainer.ts';
import { isPeerLost } from '../../rpc/client.ts';

export type TrainerCalls = Pick<MicroTrainer, 'assess' | 'accumulate' | 'step'>;

export interface TrainingEngine extends DecoderEngine {
  close(): Promise<void>;
}

export interface LazyTrainerOptions {
  readonly start: () => Promise<TrainingEngine>;
  readonly open: (engine: DecoderEngine) => Promise<TrainerCalls>;
}

/** Calls are queued. Their results depend on their arguments alone, so a call that loses its engine is repeated once on another one. */
export function lazyTrainer({ start, open }: LazyTrainerOptions): TrainerCalls {
  let opened: TrainerCalls | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  const opening = async (): Promise<TrainerCalls> => {
    const engine = await start();
    try {
      return await open(engine);
    } catch (error) {
      await engine.close();
      throw error;
    }
  };
  const attempt = async <X>(call: (trainer: TrainerCalls) => Promise<X>): Promise<X> => {
    opened ??= await opening();
    try {
      return await call(opened);
    } catch (error) {
      // The next attempt starts another engine, also when this one is still being ended.
      if (isPeerLost(error)) opened = undefined;
      throw error;
    }
  };
  const inTurn = <X>(call: (trainer: TrainerCalls) => Promise<X>): Promise<X> => {
    const done = queue.then(() =>
      attempt(call).catch((error: unknown) => {
        if (isPeerLost(error)) return attempt(call);
        throw error;
      }),
    );
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
