// Evaluates the tests of a run through the daemon, one evaluation after another, and reports what happens to each test. It always ends:
// when the evaluations end, when the daemon is lost, and at the latest 30 s after the signal is aborted.

import { type Clock, sleepUnlessAborted } from '../../runtime/core/clock.ts';
import { messageOf } from '../../runtime/core/errors.ts';
import { untilAborted } from '../../runtime/core/run-together.ts';
import type { CollectionState } from '../../runtime/protocol/daemon/collection.ts';
import { MAX_RESULTS } from '../../runtime/protocol/daemon/episode-result.ts';
import type { EvaluationEnd } from '../../runtime/protocol/task-verdict.ts';
import { followCollection } from '../collect/follow.ts';
import { progressText } from '../collect/questions.ts';
import type { DaemonClient } from '../daemon/client.ts';
import type { EvaluationParams } from './plan.ts';
import { afterEnd, afterEpisode, newProgress, type TestUpdate } from './progress.ts';
import type { TestedTask } from './tree.ts';

export interface EvaluationOrder {
  readonly params: EvaluationParams;
  readonly tests: readonly TestedTask[];
}

export interface EvaluationServices {
  readonly client: Pick<DaemonClient, 'request'>;
  readonly clock: Clock;
  /** Aborted when the user cancels the run, or when the window closes. */
  readonly signal: AbortSignal;
  readonly report: (update: TestUpdate) => void;
  /** A line that belongs to no test. */
  readonly print: (line: string) => void;
  /** Asks whether to cancel a collection that is under way: the daemon plays one at a time. */
  readonly mayCancel: (other: CollectionState) => Promise<boolean>;
}

/** The daemon ends the episodes under way, which takes seconds. */
const CANCEL_TIMEOUT_MS = 30_000;

const STOPPED: EvaluationEnd = { status: 'stopped' };

/** Never rejects: each test gets a final state. */
export async function evaluateTests(
  orders: readonly EvaluationOrder[],
  services: EvaluationServices,
): Promise<void> {
  let isRefused = false;
  // The answer "No" holds for the whole run.
  const mayCancel = async (other: CollectionState): Promise<boolean> => {
    isRefused ||= !(await services.mayCancel(other));
    return !isRefused;
  };
  for (const order of orders) await evaluateOrder(order, { ...services, mayCancel });
}

async function evaluateOrder(order: EvaluationOrder, services: EvaluationServices): Promise<void> {
  const { report, signal } = services;
  let progress = newProgress(order.tests, order.params.instances);
  const over = new AbortController();
  let hasBegun = false;
  const deliver: EvaluationDelivery = {
    isOver: () => over.signal.aborted,
    begun: state => {
      hasBegun = true;
      services.print(state.told);
      for (const { id } of order.tests) report({ kind: 'started', id });
    },
    episode: episode => {
      const step = afterEpisode(progress, episode);
      progress = step.progress;
      for (const update of step.updates) report(update);
    },
  };
  const played = play(order.params, services, deliver).catch(
    (error: unknown): EvaluationEnd =>
      signal.aborted ? STOPPED : { status: 'failed', message: messageOf(error) },
  );
  const end = await Promise.race([played, afterAbort(services, () => hasBegun, over.signal)]);
  over.abort();
  for (const update of afterEnd(progress, end)) report(update);
}

interface EvaluationDelivery {
  /** The run has ended: replies of the daemon are too late. */
  isOver(): boolean;
  begun(state: CollectionState): void;
  episode(result: Parameters<typeof afterEpisode>[1]): void;
}

/** Resolves when the signal is aborted; some time later if the evaluation has begun. Its last episodes arrive in this time. */
async function afterAbort(
  { clock, signal }: EvaluationServices,
  hasBegun: () => boolean,
  over: AbortSignal,
): Promise<EvaluationEnd> {
  await untilAborted(signal);
  if (hasBegun()) await sleepUnlessAborted(clock, CANCEL_TIMEOUT_MS, over);
  return STOPPED;
}

async function play(
  params: EvaluationParams,
  services: EvaluationServices,
  deliver: EvaluationDelivery,
): Promise<EvaluationEnd> {
  const { client, signal, mayCancel } = services;
  if (signal.aborted) return STOPPED;
  const { collecting } = await client.request('collect.now', {});
  if (collecting !== undefined) {
    if (!(await mayCancel(collecting)))
      throw new Error(
        `The daemon is busy: ${collecting.told}, ${progressText(collecting)}. Wait for its end, then run the tests again.`,
      );
    if (signal.aborted) return STOPPED;
    await client.request('collect.cancel', { collection: collecting.collection });
  }
  if (signal.aborted) return STOPPED;
  const begun = await client.request('collect.start', params);
  const cancel = (): void => {
    // It may have ended meanwhile, or the daemon is lost: `follow` notices both.
    client.request('collect.cancel', { collection: begun.collection }).catch(() => undefined);
  };
  // A request to start cannot be recalled.
  if (signal.aborted) {
    cancel();
    return STOPPED;
  }
  deliver.begun(begun);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await follow(begun, services, deliver);
  } catch (error) {
    cancel();
    throw error;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

async function follow(
  begun: CollectionState,
  { client, print }: EvaluationServices,
  { isOver, episode: deliver }: EvaluationDelivery,
): Promise<EvaluationEnd> {
  const { collection } = begun;
  let [delivered, problem] = [0, begun.problem];
  const seen = async (state: CollectionState): Promise<void> => {
    if (isOver()) return;
    if (state.problem !== undefined && state.problem !== problem) print(state.problem);
    problem = state.problem;
    for (;;) {
      const { episodes } = await client.request('collect.results', { collection, from: delivered });
      if (isOver()) return;
      delivered += episodes.length;
      for (const episode of episodes) deliver(episode);
      if (episodes.length < MAX_RESULTS) return;
    }
  };
  const { status, message } = await followCollection(begun, { client, seen, isOver });
  return status === 'playing' ? STOPPED : { status, message };
}
