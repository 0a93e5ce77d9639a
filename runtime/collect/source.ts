// The source of a collection's attempts: scripted solutions, trained weights or an agent.

import type { Instance } from '../core/task.ts';
import type { Trajectory } from '../core/trajectory.ts';
import type { SpentTokens } from '../endpoints/budget.ts';
import type { Fabric } from '../fabric/fabric.ts';
import { problemText } from '../protocol/problem-text.ts';

export interface Attempted {
  readonly instance: Instance;
  /** Absent when no script solves the instance with actions of a policy. */
  readonly trajectory?: Trajectory;
}

export interface CollectSource {
  /** Attempts per instance. */
  readonly times: number;
  /** Ends after the last attempt, or when the signal is aborted. An attempt is acknowledged when the next is requested. `problem` reports delays. */
  play(
    instances: readonly Instance[],
    signal: AbortSignal,
    problem: (message: string) => void,
  ): AsyncIterable<Attempted>;
  /** Failed requests by cause; absent for a source without servers. */
  failedRequests?(): Readonly<Record<string, number>>;
  /** By all requests, also of attempts that broke and were repeated; undefined for a source without servers. */
  spent?(): SpentTokens | undefined;
  /** Releases what exists before the first attempt. Called once, after the last attempt or without any. */
  close?(): Promise<void>;
}

/** Reports failures until the fabric is closed. */
export async function reportProblems(
  { events }: Pick<Fabric, 'events'>,
  problem: (message: string) => void,
): Promise<void> {
  for await (const { event } of events.listen())
    if (event.kind === 'health' && !event.healthy) problem(problemText(event.thing, event.message));
}
