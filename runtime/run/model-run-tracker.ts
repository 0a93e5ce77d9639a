// Collects from events what people see of a run with a model agent: its learner, its servers and its cost. For display only: events can be
// lost, so a problem ends with the next sign of work, also if the report of its end was lost.

import type { Event, LearnerReport, ServerReport } from '../core/event.ts';
import type { Trajectory } from '../core/trajectory.ts';
import { isSuccess } from '../core/verdict.ts';
import type { RunLearnerState, RunServerState } from '../protocol/daemon/model-run.ts';
import type { EvaluationPoint, RunState } from '../protocol/daemon/state.ts';
import { ProcessTotal } from './process-total.ts';
import { type Spending, spentState } from './spending.ts';

interface LearnerProblem {
  readonly thing: string;
  readonly message: string;
  readonly at: number;
}

export class ModelRunTracker {
  readonly #promptTokens: ProcessTotal;
  readonly #completionTokens: ProcessTotal;
  readonly #hardwareSeconds: ProcessTotal;
  readonly #money: ProcessTotal;
  readonly #learnerMoney: ProcessTotal;
  #successes: number;
  #learner: LearnerReport['learner'] | undefined;
  #learnerProblem: LearnerProblem | undefined;
  #servers: readonly ServerReport[] | undefined;
  /** When the process opened its servers that reported them last. */
  #serversSince: number | undefined;
  /** The last problem of each server, by its name. */
  readonly #serverProblems = new Map<string, { readonly message: string; readonly at: number }>();

  /** `before`: what the run had cost when it was resumed. */
  constructor(before: Spending | undefined) {
    this.#promptTokens = new ProcessTotal(before?.promptTokens);
    this.#completionTokens = new ProcessTotal(before?.completionTokens);
    this.#hardwareSeconds = new ProcessTotal(before?.hardwareSeconds);
    this.#money = new ProcessTotal(before?.money);
    this.#learnerMoney = new ProcessTotal(before?.learnerMoney);
    this.#successes = before?.successes ?? 0;
  }

  hear(event: Event): void {
    if (event.kind === 'servers') {
      const { since, spent, servers } = event;
      this.#endServerProblems(event);
      this.#servers = servers;
      this.#serversSince = since;
      this.#promptTokens.record(spent.promptTokens, since);
      this.#completionTokens.record(spent.completionTokens, since);
      this.#money.record(spent.money, since);
    } else if (event.kind === 'learner') {
      const { since, learner, hardwareSeconds, money, steppedAt = 0 } = event;
      this.#learner = learner;
      this.#hardwareSeconds.record(hardwareSeconds, since);
      this.#learnerMoney.record(money, since);
      if (this.#learnerProblem !== undefined && steppedAt > this.#learnerProblem.at)
        this.#learnerProblem = undefined;
    } else if (event.kind === 'health' && event.module === 'trainer') this.#trainerHealth(event);
    else if (event.kind === 'health' && event.module === 'rollout') this.#serverHealth(event);
  }

  /** Counts a stored trajectory. */
  addTrajectory({ purpose, outcome }: Pick<Trajectory, 'purpose' | 'outcome'>): void {
    if (purpose === 'train' && isSuccess(outcome)) this.#successes += 1;
  }

  /** Undefined for the built-in policy, and until a server was reported. */
  get spending(): Spending | undefined {
    const promptTokens = this.#promptTokens.total;
    if (promptTokens === undefined) return undefined;
    const [hardwareSeconds, money] = [this.#hardwareSeconds.total, this.#money.total];
    const learnerMoney = this.#learnerMoney.total;
    return {
      promptTokens,
      completionTokens: this.#completionTokens.total ?? 0,
      ...(hardwareSeconds !== undefined && { hardwareSeconds }),
      ...(money !== undefined && { money }),
      ...(learnerMoney !== undefined && { learnerMoney }),
      successes: this.#successes,
    };
  }

  state(now: {
    readonly curve: readonly EvaluationPoint[];
    /** Batches that wait for the learner. */
    readonly batches: number;
    readonly isOver: boolean;
  }): Pick<RunState, 'learner' | 'servers' | 'spent'> {
    const { spending } = this;
    return {
      ...(this.#learner !== undefined && { learner: this.#learnerState(this.#learner, now.batches) }),
      ...(this.#servers !== undefined && {
        servers: this.#servers.map(server => this.#serverState(server, now.isOver)),
      }),
      ...(spending !== undefined && { spent: spentState(spending, now.curve) }),
    };
  }

  #learnerState(learner: LearnerReport['learner'], batches: number): RunLearnerState {
    const problem = this.#learnerProblem;
    return {
      ...{ ...learner, batches },
      ...(problem !== undefined && { problem: `${problem.thing}: ${problem.message}` }),
    };
  }

  /** Servers of a run that is over have no requests of it. */
  #serverState(server: ServerReport, isOver: boolean): RunServerState {
    const problem = this.#serverProblems.get(server.name);
    return {
      ...server,
      inFlight: isOver ? 0 : server.inFlight,
      ...(problem !== undefined && { problem: problem.message }),
    };
  }

  /** A server that cannot load new adapters stays in the phase `serving`, so its problem is independent of the phase. */
  #serverHealth({ at, thing, healthy, message }: Extract<Event, { kind: 'health' }>): void {
    if (healthy) this.#serverProblems.delete(thing);
    else this.#serverProblems.set(thing, { message, at });
  }

  /** After a lost report that a server works again, and after a new process, which knows nothing of the problems before it. */
  #endServerProblems({ since, servers }: Extract<Event, { kind: 'servers' }>): void {
    if (this.#serversSince !== undefined && since !== this.#serversSince)
      for (const [name, { at }] of this.#serverProblems) if (at < since) this.#serverProblems.delete(name);
    for (const { name, phase, version } of servers) {
      const before = this.#servers?.find(each => each.name === name);
      if (before === undefined) continue;
      if ((isDown(before.phase) && !isDown(phase)) || before.version !== version)
        this.#serverProblems.delete(name);
    }
  }

  #trainerHealth({ at, thing, healthy, message }: Extract<Event, { kind: 'health' }>): void {
    if (!healthy) this.#learnerProblem = { thing, message, at };
    else if (this.#learnerProblem?.thing === thing) this.#learnerProblem = undefined;
  }
}

const isDown = (phase: ServerReport['phase']): boolean => phase === 'failed' || phase === 'out';
