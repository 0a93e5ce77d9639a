// What decides in a host: the workers of the built-in policy, or the servers of a model. A host knows nothing else of an agent.

import type { Agent } from '../../core/agent.ts';
import type { ServersReport } from '../../core/event.ts';
import type { Failure } from '../../core/failure.ts';
import type { Weights } from '../../core/policy.ts';
import type { ProcessorTime } from '../../core/processor-time.ts';
import type { ChatModel } from '../../endpoints/chat.ts';
import type { ProcessorFigure } from '../processor-figures.ts';

export interface HostPolicy {
  /** Plays the orders of training, with the newest weights that it has. */
  readonly training: Agent;
  /** Plays the orders of evaluation, with the weights that they name. */
  readonly evaluating: Agent;
  /** There are newer weights. Returns at once; a failure is reported as health. */
  publish(weights: Weights): void;
  /** Evaluations name these weights from now on. */
  evaluate(weights: Weights): void;
  /** One for each worker or server: milliseconds by use, since it was opened. */
  account(): readonly PolicyAccount[];
  /** Seconds of the processor on this machine; empty if others decide. */
  processorTime(): Promise<Readonly<Partial<Record<ProcessorFigure, number>>>>;
  /** Further metrics by name, such as the tokens that were used. */
  metrics(): Readonly<Record<string, number>>;
  /** The model, for the questions of joined hosts; absent for the built-in policy, and on a joined host. */
  readonly chat?: ChatModel;
  /** The servers of a model and the cost of their replies; absent for the built-in policy. */
  servers?(): ServersReport;
  close(): Promise<void>;
}

/** `deciding`, `loading` and `idle` are read by the meter. */
export type PolicyAccount = Readonly<Record<string, number>>;

export interface HostPolicyContext {
  /** Receives the processor time of observations. */
  readonly time: ProcessorTime;
  /** Reports a worker or a server that fails, or works again. */
  readonly health: (thing: string, healthy: boolean, message: string) => void;
  /** Every later decision would fail for the same reason, until a person changes something. Called for each failure. */
  readonly lost: (failure: Failure) => void;
}

export type OpenHostPolicy = (context: HostPolicyContext) => HostPolicy;
