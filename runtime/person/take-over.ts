// Takes a desktop over from the run that trains, with the episode that is played on it, for a recording.

import type { Config } from '../config/config.ts';
import { sentenceOf } from '../core/errors.ts';
import { BoundaryError } from '../core/failure.ts';
import { stepLimit } from '../core/task.ts';
import { openSuite } from '../run/suite.ts';
import { type BorrowedDesktop, borrowDesktop } from './borrowed-desktop.ts';
import type { LoanOptions } from './loan-calls.ts';
import { RecordError } from './record-error.ts';
import type { RecordingOptions } from './recording-options.ts';

/** The run that trains. */
export interface LendingRun extends Pick<LoanOptions, 'fabric'> {
  readonly config: Config;
}

export interface BegunTakeOver extends Pick<BorrowedDesktop, 'keep' | 'close'> {
  /** Of the recording that continues its episode. */
  readonly recording: Pick<
    RecordingOptions,
    'kind' | 'task' | 'instance' | 'split' | 'tier' | 'maxSteps' | 'mode' | 'open'
  >;
}

/** Rejects with a RecordError if the desktop cannot be taken over now. */
export async function takeOver(
  { config, fabric }: LendingRun,
  loan: Omit<LoanOptions, 'fabric'>,
): Promise<BegunTakeOver> {
  const suite = await openSuite(config);
  const { desktop, episode, keep, lost, close } = await borrowDesktop({ ...loan, fabric }).catch(error => {
    if (!(error instanceof BoundaryError)) throw error;
    throw new RecordError(`Desktop ${loan.desktop} cannot be taken over: ${error.failure.message}`);
  });
  const { instance, ...begun } = episode;
  try {
    const task = suite.task(instance.task, instance.seed);
    return {
      keep,
      close,
      recording: {
        ...{ kind: config.environments.kind, task, instance, split: task.dartboard?.split ?? 'train' },
        ...{ tier: suite.template(instance.task).tier, maxSteps: stepLimit(task), mode: config.mode },
        open: async () => ({ desktop, begun, lost, close }),
      },
    };
  } catch (cause) {
    await close();
    throw new RecordError(
      `Desktop ${loan.desktop} cannot be taken over, because its task '${instance.task}' cannot be made: ${sentenceOf(cause)} Put the file of the task back, or choose another desktop.`,
      { cause },
    );
  }
}
