// What an episode did, whatever it was meant to do: the instructions that would have asked for it, and of its actions those that
// it took. An instance starts the same every time, so it is found out by trying which actions can be left out.

import type { Action } from '../../core/action.ts';
import type { Seed, TaskId } from '../../core/ids.ts';
import { type Element, elementAt } from '../../core/screen.ts';
import type { Task } from '../../core/task.ts';
import { type StartedInstance, startOf } from '../../environments/pocket/start.ts';
import { outcomeOf, sameOutcome, type WorldOutcome } from '../../environments/pocket/tasks/outcomes.ts';

export interface Finding {
  readonly task: TaskId;
  readonly seed: Seed;
  readonly outcome: WorldOutcome;
  /** Without a last word. */
  readonly actions: readonly Action[];
}

/** The outcome of a whole episode, with no more actions than it took; undefined where it did nothing that has a name. */
export function hindsight(task: Task, seed: Seed, actions: readonly Action[]): Finding | undefined {
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

/** What was pressed character by character, on buttons or on the keyboard, in one go: most things are written so. */
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

/** The text that an action writes, or that stands on the button that it presses. */
function writtenBy(action: Action, elements: readonly Element[]): string | undefined {
  if (action.kind === 'type') return action.text;
  const [first = '', ...others] = action.kind === 'hotkey' ? action.keys : [];
  if (first.length === 1 && others.length === 0) return first;
  if (action.kind !== 'click') return undefined;
  const pressed = elementAt(elements, action.at);
  return pressed?.role === 'button' && pressed.name.length === 1 ? pressed.name : undefined;
}

/** What some actions do, from the start of an instance; last words do nothing. */
export function outcomeAfter(task: Task, actions: readonly Action[]): WorldOutcome | undefined {
  const started = startOf(task);
  for (const action of actions) started.machine.perform(action);
  return currentOutcome(started);
}

export const currentOutcome = ({ machine, start, openings }: StartedInstance): WorldOutcome | undefined =>
  outcomeOf({ start, end: machine.world, openings });

/**
 * Leaves out what can be left out: the second half, the first, then smaller and smaller parts, then one by one; and at last
 * two at a time, since what was done and undone again can only go together.
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
      if (kept.length <= SHORT || !same(without)) continue;
      kept = without;
      second = kept.length;
      break;
    }
  }
  return oneByOne(kept, same);
}

/** Until nothing more can go: what was needed only because of something that has gone since, goes as well. */
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

/** In so few actions nothing is done and undone on the way. */
const SHORT = 2;
