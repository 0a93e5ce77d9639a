// Demonstrates tasks as a person does: with pointer and key events, through the requests that the panel Record sends.

import { at } from '../../core/at.ts';
import type { Seed } from '../../core/ids.ts';
import { type PocketSuite, solutionOf } from '../../environments/pocket/tasks/suite.ts';
import type { Recordings } from '../../person/recordings.ts';
import {
  DAEMON_RESULTS,
  type DaemonParams,
  request as requestSchema,
} from '../../protocol/daemon/messages.ts';
import { type RecordingState, recordingState } from '../../protocol/daemon/record.ts';
import { executeRecordRequest, isRecordRequest, type RecordMethod } from '../../server/record-requests.ts';
import { eventsOf } from '../panels/hand.ts';

interface HandOptions {
  readonly recordings: Recordings;
  /** Has the scripts that the hand follows. */
  readonly suite: PocketSuite;
  readonly who: string;
}

/** Between two actions: quick presses would be one double click. */
const ACTION_MS = 1000;
const EVENT_MS = 20;

/** Records and saves one instance. Rejects if its demonstration was not solved or not saved. */
export async function demonstrateByHand(
  { recordings, suite, who }: HandOptions,
  task: string,
  seed: Seed,
): Promise<void> {
  const owner = {};
  const send = async <M extends RecordMethod>(method: M, params: DaemonParams<M>): Promise<unknown> => {
    const request = requestSchema.parse({ id: 0, method, params });
    if (!isRecordRequest(request)) throw new TypeError(`'${method}' is no request about recordings.`);
    return (await executeRecordRequest(request, recordings, owner)).result;
  };
  let state = recordingState.parse(await send('record.start', { task, seed, who }));
  let frame = 0;
  const { recording } = state;
  const lookUntil = async (isEnd: (phase: RecordingState['phase']) => boolean): Promise<void> => {
    while (!isEnd(state.phase)) {
      const look = await send('record.look', { recording, frame, change: state.change });
      ({ state, frame } = DAEMON_RESULTS['record.look'].parse(look));
    }
  };
  await lookUntil(phase => phase !== 'opening');
  const { actions, ending } = solutionOf(suite, suite.task(task, seed), seed);
  let time = 0;
  for (const action of actions) {
    time += ACTION_MS;
    const inputs = eventsOf(action).map((event, index) => ({ event, time: time + EVENT_MS * index, frame }));
    time = at(inputs, inputs.length - 1).time;
    state = recordingState.parse(await send('record.input', { recording, inputs }));
  }
  state = recordingState.parse(await send('record.finish', { recording, ending }));
  if (state.judgement?.success !== true)
    throw new Error(`The demonstration of '${task}' (seed ${seed}) was not solved. Correct its script.`);
  state = recordingState.parse(await send('record.save', { recording, drop: [] }));
  await lookUntil(phase => phase !== 'checking');
  if (state.phase !== 'saved')
    throw new Error(`The demonstration of '${task}' (seed ${seed}) was not saved: ${state.problem ?? ''}`);
}
