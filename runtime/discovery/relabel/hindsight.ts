// Hindsight relabelling: finds the outcome of an episode, the instructions that ask for it, and the actions that it needs. An instance
// always starts in the same state, so the needed actions are found by leaving actions out and replaying.

import type { Action } from '../../core/action.ts';
import type { Seed, TaskId } from '../../core/ids.ts';
import { type Element, elementAt } from '../../core/screen.ts';
import type { Task } from '../../core/task.ts';
import { type StartedInstance, startOf } from '../../environments/pocket/getters.ts';
import { outcomeOf, sameOutcome, type WorldOutcome } from '../../environments/pocket/tasks/outcomes.ts';

export interface RelabelledEpisode {
  readonly task: TaskId;
  readonly seed: Seed;
  readonly outcome: WorldOutcome;
  /** Without the final `finished`. */
  readonly actions: readonly Action[];
}

/** The outcome of a whole episode, with no more actions than it took; undefined where it did nothing that has a name. */
export function hindsight(task: Task, seed: Seed, actions: readonly Action[]): RelabelledEpisode | undefined {
  const outcome = outcomeAfter(task, actions);
  if (outcome === undefined) return undefined;
  const same = (some: readonly Action[]) => sameOutcome(outcome, outcomeAfter(task, some));
  const kept = needed(actions, same);
  const written = asWritten(task, kept);
  return {
    task: task.id,
    seed,
    outcome,
    actions: written.length <= kept.length && same(written) ? written : kept,
  };
}

/** Merges characters typed on buttons or keys into one `type` action. */
function asWritten(task: Task, actions: readonly Action[]): readonly Action[] {
  const { machine } = startOf(task);
  const written: Action[] = [];
  for (const action of actions) {
    const text = writtenBy(action, machine.elements());
    const last = written.at(-1);
    if (text === undefined) written.push(action);
    else if (last?.kind === 'type') written[written.length - 1] = { kind: 'type', text: last.text + text };
    else written.push(action.kind === 'type' ? action : { kind: 'type', text });
    machine.perform(action);
  }
  return written;
}

/** The text that an action types, or the label of the one-character button that it presses. */
function writtenBy(action: Action, elements: readonly Element[]): string | undefined {
  if (action.kind === 'type') return action.text;
  const [first = '', ...others] = action.kind === 'hotkey' ? action.keys : [];
  if (first.length === 1 && others.length === 0) return first;
  if (action.kind !== 'click') return undefined;
  const pressed = elementAt(elements, action.at);
  return pressed?.role === 'button' && pressed.name.length === 1 ? pressed.name : undefined;
}

/** The outcome of actions from the start of an instance. */
export function outcomeAfter(task: Task, actions: readonly Action[]): WorldOutcome | undefined {
  const started = startOf(task);
  for (const action of actions) started.machine.perform(action);
  return currentOutcome(started);
}

export const currentOutcome = ({ machine, start, openings }: StartedInstance): WorldOutcome | undefined =>
  outcomeOf({ start, end: machine.world, openings });

/**
 * Delta debugging: leaves out halves, then smaller parts, then single actions, and at last pairs, since an action and its undoing can only
 * go together.
 */
function needed(all: readonly Action[], same: (some: readonly Action[]) => boolean): readonly Action[] {
  let kept = all;
  for (let size = Math.ceil(all.length / 2); size >= 1; size = size > 1 ? Math.ceil(size / 2) : 0) {
    for (let from = kept.length - size; from >= 0; from -= size) {
      const without = kept.toSpliced(from, size);
      if (same(without)) kept = without;
    }
  }
  kept = oneByOne(kept, same);
  for (let second = kept.length - 1; second > 0; second--) {
    for (let first = second - 1; first >= 0; first--) {
      const without = kept.toSpliced(second, 1).toSpliced(first, 1);
      if (kept.length <= MIN_LENGTH_OF_PAIRS || !same(without)) continue;
      kept = without;
      second = kept.length;
      break;
    }
  }
  return oneByOne(kept, same);
}

/** Repeats until no single action can be left out. */
function oneByOne(all: readonly Action[], same: (some: readonly Action[]) => boolean): readonly Action[] {
  let kept = all;
  for (let before = kept.length + 1; kept.length < before; ) {
    before = kept.length;
    for (let from = kept.length - 1; from >= 0; from--) {
      const without = kept.toSpliced(from, 1);
      if (same(without)) kept = without;
    }
  }
  return kept;
}

/** Shorter sequences contain no action with its undoing. */
const MIN_LENGTH_OF_PAIRS = 2;
