// Explores the pocket desktop without a task, and recognises outcomes that have an instruction. It returns to states that look new (a
// dialog, typed text, a change) and plays on from there, so it finds outcomes that take several steps. `visited-states.ts` stores the
// states, `next-action.ts` proposes actions.

import type { Action } from '../../core/action.ts';
import { at } from '../../core/at.ts';
import { oneOf } from '../../core/chance.ts';
import type { Seed, TaskId } from '../../core/ids.ts';
import type { Random } from '../../core/rng.ts';
import type { Element } from '../../core/screen.ts';
import { isInfeasible, type Task } from '../../core/task.ts';
import { startOf } from '../../environments/pocket/getters.ts';
import { asksFor } from '../../environments/pocket/tasks/outcomes.ts';
import type { PocketSuite } from '../../environments/pocket/tasks/suite.ts';
import { currentOutcome, hindsight, type RelabelledEpisode } from '../relabel/hindsight.ts';
import { nextAction } from './next-action.ts';
import { actionKey, NoveltyValues } from './novelty-values.ts';
import { varied } from './variation.ts';
import { type ObservedState, stateKey, VisitedStates } from './visited-states.ts';

const STEPS_PER_PLAY = 6;
/** Outcomes of a kind per task that are worth relabelling; later ones are sampled. */
const WANTED_PER_KIND = 40;

/** The share of plays that vary an earlier finding, … */
const VARIATION_SHARE = 0.25;
/** … and once every kind has enough findings. */
const LATE_VARIATION_SHARE = 0.1;
/** Findings stored per kind, as sources of variations. */
const STORED_PER_KIND = 12;
/** A failed variation counts this much; otherwise a kind that cannot be varied would be tried forever. */
const FAILED_VARIATION_COUNT = 0.2;
/** The share of the other plays that goes to tasks without a finding. */
const OPEN_TASK_SHARE = 0.85;
/** Random actions of which the one with the highest value is played, where actions have values. */
const CANDIDATES = 8;

/** The findings of one kind of outcome. */
interface KindFindings {
  readonly findings: RelabelledEpisode[];
  /** Findings and variations so far. */
  count: number;
}

export interface ExplorerOptions {
  /** Whether a task needs no exploration any more. The answer may change. */
  readonly isSolved?: (task: TaskId) => boolean;
  /** Whether actions are chosen by the new states that they lead to; otherwise they are random. */
  readonly novelty?: boolean;
}

export class Explorer {
  readonly #suite: PocketSuite;
  readonly #tasks: readonly TaskId[];
  /** Infeasible tasks have no outcome to find. */
  readonly #feasible: readonly TaskId[];
  readonly #random: Random;
  readonly #isSolved: (task: TaskId) => boolean;
  readonly #novelty: boolean;
  readonly #values = new Map<TaskId, NoveltyValues>();
  readonly #states = new Map<TaskId, VisitedStates>();
  readonly #counts = new Map<string, number>();
  readonly #known = new Map<string, KindFindings>();
  #plays = 0;
  steps = 0;

  constructor(
    suite: PocketSuite,
    tasks: readonly TaskId[],
    random: Random,
    { isSolved = () => false, novelty = false }: ExplorerOptions = {},
  ) {
    this.#suite = suite;
    this.#tasks = tasks;
    this.#feasible = tasks.filter(task => !isInfeasible(suite.task(task, suite.seed('train', 0))));
    this.#random = random;
    this.#isSolved = isSolved;
    this.#novelty = novelty;
  }

  /** Stores a demonstrated episode as a source of variations, if its outcome has a name. */
  observe(task: Task, seed: Seed, actions: readonly Action[]): void {
    const finding = hindsight(task, seed, actions);
    if (finding !== undefined && isCopyable(finding)) this.#store(finding);
  }

  /** One play: exploration, or a variation of an earlier finding. Returns what it found. */
  play(): readonly RelabelledEpisode[] {
    const rarest = this.#rarest();
    if (rarest === undefined) return this.#explore();
    const share = rarest.count < WANTED_PER_KIND ? VARIATION_SHARE : LATE_VARIATION_SHARE;
    return this.#random.next() < share ? this.#vary(rarest) : this.#explore();
  }

  /** The kind with the fewest findings. */
  #rarest(): KindFindings | undefined {
    const kinds = [...this.#known.values()];
    const least = Math.min(...kinds.map(({ count }) => count));
    return kinds.find(({ count }) => count === least);
  }

  /** A variation of the rarest kind, or of any. */
  #vary(rarest: KindFindings): readonly RelabelledEpisode[] {
    const kind = this.#random.next() < 0.5 ? rarest : oneOf(this.#random, [...this.#known.values()]);
    const finding = kind && oneOf(this.#random, kind.findings);
    if (kind === undefined || finding === undefined) return [];
    this.steps += 2 * finding.actions.length;
    const another = varied(finding, this.#suite, this.#random);
    kind.count += another === undefined ? FAILED_VARIATION_COUNT : 1;
    return another === undefined ? [] : [another];
  }

  /** Explores from the start of an instance, or from a visited state. */
  #explore(): readonly RelabelledEpisode[] {
    const id = this.#nextTask();
    if (id === undefined) return [];
    const states = this.#statesOf(id);
    const from = this.#random.next() < 0.5 ? undefined : states.choose();
    const seed = from?.seed ?? this.#suite.seed('train', this.#random.int(this.#suite.trainSeeds));
    const task = this.#suite.task(id, seed);
    const started = startOf(task);
    const { machine } = started;
    const atStart = new Set(machine.elements().map(({ value }) => value));
    const actions = [...(from?.actions ?? [])];
    let before = machine.elements();
    for (const action of actions) {
      before = machine.elements();
      machine.perform(action);
    }
    this.steps += actions.length;

    const found: RelabelledEpisode[] = [];
    const values = this.#novelty ? this.#valuesOf(id) : undefined;
    let last = currentOutcome(started);
    for (let step = 0; step < STEPS_PER_PLAY; step++) {
      const now = machine.elements();
      const fresh = appeared(before, now);
      const propose = () => nextAction(this.#random, now, fresh, actions.at(-1));
      const choice = values && valuedChoice(values, { elements: now, atStart, done: last?.kind }, propose);
      const action = choice?.action ?? propose();
      before = now;
      machine.perform(action);
      actions.push(action);
      this.steps += 1;
      const outcome = currentOutcome(started);
      const next = { elements: machine.elements(), atStart, done: outcome?.kind };
      choice?.learn(next);
      states.visit(next, { seed, actions });
      const isNew = outcome !== undefined && outcome.ways[0] !== last?.ways[0];
      if (isNew && this.#isWanted(`${id} ${outcome.kind}`)) {
        const finding = hindsight(task, seed, [...actions]);
        if (finding !== undefined && isCopyable(finding) && this.#isDirect(finding)) {
          this.#store(finding);
          found.push(finding);
        }
      }
      last = outcome;
    }
    return found;
  }

  /** Feasible tasks that are neither solved nor found. */
  get openTasks(): readonly TaskId[] {
    return this.#feasible.filter(task => !this.#isSolved(task) && !this.#isFound(task));
  }

  /** Mostly an open task. */
  #nextTask(): TaskId | undefined {
    const { openTasks } = this;
    if (openTasks.length > 0 && this.#random.next() < OPEN_TASK_SHARE) return oneOf(this.#random, openTasks);
    return this.#tasks[this.#plays++ % this.#tasks.length];
  }

  #isFound(task: TaskId): boolean {
    return [...this.#known.keys()].some(kind => asksFor(task, kind));
  }

  #valuesOf(id: TaskId): NoveltyValues {
    const values = this.#values.get(id) ?? new NoveltyValues();
    this.#values.set(id, values);
    return values;
  }

  #statesOf(id: TaskId): VisitedStates {
    let states = this.#states.get(id);
    if (states === undefined) {
      states = new VisitedStates(this.#random);
      this.#states.set(id, states);
    }
    return states;
  }

  #isWanted(key: string): boolean {
    const count = this.#counts.get(key) ?? 0;
    this.#counts.set(key, count + 1);
    return count < WANTED_PER_KIND || this.#random.next() < WANTED_PER_KIND / count;
  }

  /** Stores a few findings per kind; a new one replaces the longest. */
  #store(finding: RelabelledEpisode): void {
    const kind = this.#known.get(finding.outcome.kind) ?? { findings: [], count: 0 };
    this.#known.set(finding.outcome.kind, kind);
    kind.count += 1;
    kind.findings.push(finding);
    if (kind.findings.length <= STORED_PER_KIND) return;
    const longest = Math.max(...kind.findings.map(({ actions }) => actions.length));
    kind.findings.splice(
      kind.findings.findIndex(({ actions }) => actions.length === longest),
      1,
    );
  }

  /** Whether it took about as few steps as the shortest finding of its kind. */
  #isDirect({ outcome, actions }: RelabelledEpisode): boolean {
    const { findings = [] } = this.#known.get(outcome.kind) ?? {};
    const shortest = Math.min(...findings.map(each => each.actions.length));
    return actions.length <= 2 * shortest + 1;
  }
}

/** The proposed action that promises the most new states. `learn` takes the state after it. */
function valuedChoice(values: NoveltyValues, before: ObservedState, propose: () => Action) {
  const state = stateKey(before);
  values.see(state);
  const candidates = Array.from({ length: CANDIDATES }, propose);
  const keys = candidates.map(candidate => actionKey(candidate, before.elements));
  const best = values.best(state, keys);
  return {
    action: at(candidates, best),
    learn: (after: ObservedState) => values.learn(state, at(keys, best), stateKey(after)),
  };
}

/** Elements that have appeared. */
function appeared(before: readonly Element[], now: readonly Element[]): readonly Element[] {
  const known = new Set(before.map(elementKey));
  return now.filter(element => !known.has(elementKey(element)));
}

const elementKey = ({ role, name, value }: Element): string => `${role} ${name} ${value}`;

/** Whether every typed word occurs in the instruction: a policy can only copy. */
function isCopyable({ outcome: { ways }, actions }: RelabelledEpisode): boolean {
  const words = new Set(ways[0]?.match(WORDS));
  return actions.every(
    action => action.kind !== 'type' || (action.text.match(WORDS) ?? []).every(word => words.has(word)),
  );
}

const WORDS = /\p{L}+|\d+/gu;
