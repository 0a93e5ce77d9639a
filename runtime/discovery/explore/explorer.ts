// Plays on the pocket desktop without being told to do anything, and notices what it did that has a name. Where it came to
// something new (a dialog, a text that was written, a change), it comes back later and plays on from there, so that what takes
// several right steps is found as well. Decides where to play on and what to keep; where there is to come back to
// (`explorer/places.ts`) and what is tried next (`explorer/next-action.ts`) are told elsewhere.

import type { Action } from '../../core/action.ts';
import { oneOf } from '../../core/chance.ts';
import type { Seed, TaskId } from '../../core/ids.ts';
import type { Random } from '../../core/rng.ts';
import type { Element } from '../../core/screen.ts';
import { isInfeasible, type Task } from '../../core/task.ts';
import { startOf } from '../../environments/pocket/start.ts';
import { asksFor } from '../../environments/pocket/tasks/outcomes.ts';
import type { PocketSuite } from '../../environments/pocket/tasks/suite.ts';
import { TRAIN_SEEDS } from '../../environments/suite.ts';
import { currentOutcome, type Finding, hindsight } from '../relabel/hindsight.ts';
import { nextAction } from './next-action.ts';
import { varied } from './variation.ts';
import { VisitedStates } from './visited-states.ts';

/** So many steps are played from where a play begins. */
const STEPS = 6;
/** Of each kind of deed in each task so many are worth the work of finding out how they were done. */
const ENOUGH = 40;

/** The share of plays that do again what was found before. */
const AGAIN = 0.25;
/** The same, once there is enough of every kind. */
const SELDOM = 0.1;
/** Findings of a kind that are remembered for it. */
const REMEMBERED = 12;
/** To try in vain to do it again counts for so much, or what cannot be varied would be tried for ever. */
const FAILURE = 0.2;
/** The share of the others that goes to tasks of which nothing was found. */
const FOCUS = 0.85;

/** What is known of one kind of deed. */
interface Known {
  readonly findings: Finding[];
  /** How often it was found or done again. */
  count: number;
}

export class Explorer {
  readonly #suite: PocketSuite;
  readonly #tasks: readonly TaskId[];
  /** In the others there is nothing to be found out by acting. */
  readonly #feasible: readonly TaskId[];
  readonly #random: Random;
  readonly #isSolved: (task: TaskId) => boolean;
  readonly #places = new Map<TaskId, VisitedStates>();
  readonly #counts = new Map<string, number>();
  readonly #known = new Map<string, Known>();
  #plays = 0;
  steps = 0;

  /** `isSolved` tells of which tasks there is nothing left to find out; it may learn so while it plays. */
  constructor(
    suite: PocketSuite,
    tasks: readonly TaskId[],
    random: Random,
    isSolved: (task: TaskId) => boolean = () => false,
  ) {
    this.#suite = suite;
    this.#tasks = tasks;
    this.#feasible = tasks.filter(task => !isInfeasible(suite.task(task, suite.seed('train', 0))));
    this.#random = random;
    this.#isSolved = isSolved;
  }

  /** Takes note of what somebody else did, to do it again with other things; nothing where it has no name. */
  watch(task: Task, seed: Seed, actions: readonly Action[]): void {
    const finding = hindsight(task, seed, actions);
    if (finding !== undefined && isSayable(finding)) this.#remember(finding);
  }

  /** One play; what it found. Sometimes what was found before, done again with other things. */
  play(): readonly Finding[] {
    const rarest = this.#rarest();
    if (rarest === undefined) return this.#onwards();
    const share = rarest.count < ENOUGH ? AGAIN : SELDOM;
    return this.#random.next() < share ? this.#again(rarest) : this.#onwards();
  }

  /** The kind of deed of which there is least; undefined before there is any. */
  #rarest(): Known | undefined {
    const kinds = [...this.#known.values()];
    const least = Math.min(...kinds.map(({ count }) => count));
    return kinds.find(({ count }) => count === least);
  }

  /** The rarest kind of deed, or any, done again. */
  #again(rarest: Known): readonly Finding[] {
    const kind = this.#random.next() < 0.5 ? rarest : oneOf(this.#random, [...this.#known.values()]);
    const finding = kind && oneOf(this.#random, kind.findings);
    if (kind === undefined || finding === undefined) return [];
    this.steps += 2 * finding.actions.length;
    const another = varied(finding, this.#suite, this.#random);
    kind.count += another === undefined ? FAILURE : 1;
    return another === undefined ? [] : [another];
  }

  /** Plays from the start of an instance, or on from a place that is known. */
  #onwards(): readonly Finding[] {
    const id = this.#nextTask();
    if (id === undefined) return [];
    const places = this.#placesOf(id);
    const from = this.#random.next() < 0.5 ? undefined : places.choose();
    const seed = from?.seed ?? this.#suite.seed('train', this.#random.int(TRAIN_SEEDS));
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

    const found: Finding[] = [];
    let last = currentOutcome(started)?.ways[0];
    for (let step = 0; step < STEPS; step++) {
      const now = machine.elements();
      const action = nextAction(this.#random, now, appeared(before, now), actions.at(-1));
      before = now;
      machine.perform(action);
      actions.push(action);
      this.steps += 1;
      const deed = currentOutcome(started);
      places.visit({ elements: machine.elements(), atStart, done: deed?.kind }, { seed, actions });
      if (deed !== undefined && deed.ways[0] !== last && this.#isWanted(`${id} ${deed.kind}`)) {
        const finding = hindsight(task, seed, [...actions]);
        if (finding !== undefined && isSayable(finding) && this.#isDirect(finding)) {
          this.#remember(finding);
          found.push(finding);
        }
      }
      last = deed?.ways[0];
    }
    return found;
  }

  /** Tasks of which nobody knows yet how what they ask for is done. */
  get open(): readonly TaskId[] {
    return this.#feasible.filter(task => !this.#isSolved(task) && !this.#isFound(task));
  }

  /** Mostly an open one. */
  #nextTask(): TaskId | undefined {
    const { open } = this;
    if (open.length > 0 && this.#random.next() < FOCUS) return oneOf(this.#random, open);
    return this.#tasks[this.#plays++ % this.#tasks.length];
  }

  #isFound(task: TaskId): boolean {
    return [...this.#known.keys()].some(kind => asksFor(task, kind));
  }

  #placesOf(id: TaskId): VisitedStates {
    let places = this.#places.get(id);
    if (places === undefined) {
      places = new VisitedStates(this.#random);
      this.#places.set(id, places);
    }
    return places;
  }

  #isWanted(key: string): boolean {
    const count = this.#counts.get(key) ?? 0;
    this.#counts.set(key, count + 1);
    return count < ENOUGH || this.#random.next() < ENOUGH / count;
  }

  /** A few findings of each kind, of which the longest makes place for a shorter one. */
  #remember(finding: Finding): void {
    const kind = this.#known.get(finding.outcome.kind) ?? { findings: [], count: 0 };
    this.#known.set(finding.outcome.kind, kind);
    kind.count += 1;
    kind.findings.push(finding);
    if (kind.findings.length <= REMEMBERED) return;
    const longest = Math.max(...kind.findings.map(({ actions }) => actions.length));
    kind.findings.splice(
      kind.findings.findIndex(({ actions }) => actions.length === longest),
      1,
    );
  }

  /** Whether it was done about as directly as things of its kind can be; the shortest of them is never forgotten. */
  #isDirect({ outcome, actions }: Finding): boolean {
    const { findings = [] } = this.#known.get(outcome.kind) ?? {};
    const shortest = Math.min(...findings.map(each => each.actions.length));
    return actions.length <= 2 * shortest + 1;
  }
}

/** What is there now and was not before. */
function appeared(before: readonly Element[], now: readonly Element[]): readonly Element[] {
  const known = new Set(before.map(nameplate));
  return now.filter(element => !known.has(nameplate(element)));
}

const nameplate = ({ role, name, value }: Element): string => `${role} ${name} ${value}`;

/** Whether all that was written can be copied from the words that ask for it: nobody could guess the rest. */
function isSayable({ outcome: { ways }, actions }: Finding): boolean {
  const words = new Set(ways[0]?.match(WORDS));
  return actions.every(
    action => action.kind !== 'type' || (action.text.match(WORDS) ?? []).every(word => words.has(word)),
  );
}

const WORDS = /\p{L}+|\d+/gu;
