// A trainer that opens its programs for the first request: a server of chats alone does not need them.

import type { MicroTrainer } from '../../learner/micro/micro-trainer.ts';

export type TrainerCalls = Pick<MicroTrainer, 'assess' | 'accumulate' | 'step'>;

export function lazyTrainer(open: () => Promise<TrainerCalls>): TrainerCalls {
  let opened: Promise<TrainerCalls> | undefined;
  const trainer = (): Promise<TrainerCalls> => {
    opened ??= open().catch((error: unknown) => {
      // The next request tries again.
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    assess: async (...call) => (await trainer()).assess(...call),
    accumulate: async (...call) => (await trainer()).accumulate(...call),
    step: async (...call) => (await trainer()).step(...call),
  };
}
