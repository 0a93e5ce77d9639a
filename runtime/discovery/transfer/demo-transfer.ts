// What was shown on one instance is carried over to another of the same task: both worlds are played side by side, and what
// was done to a thing in the one is done to what stands for it in the other. Knows what an agent could know: the two
// instructions, the two screens at each step, and in the end whether the task was solved.

import { type Action, NOTCHES } from '../../core/action.ts';
import { centre, type Element, elementAt } from '../../core/screen.ts';
import type { Task } from '../../core/task.ts';
import { isSuccess } from '../../core/verdict.ts';
import { answer } from '../../environments/pocket/getters.ts';
import type { PocketMachine } from '../../environments/pocket/machine.ts';
import type { Solution } from '../../environments/pocket/solution.ts';
import { startOf } from '../../environments/pocket/start.ts';
import { evaluate } from '../../tasks/evaluate.ts';
import { frontOf, LAUNCHER, pointsOf, shownBy } from './demo-trace.ts';
import { Follower } from './follower.ts';
import { isNamed, standsFor, type View } from './likeness.ts';
import { type Choices, firstOf } from './search.ts';
import { type Part, partsOf, writtenFor } from './text-mapping.ts';

/** A demonstration, ready to be carried over. */
export interface Example {
  readonly ending: Solution['ending'];
  readonly steps: readonly ExampleStep[];
}

interface ExampleStep {
  readonly view: View;
  readonly front: string | undefined;
  readonly action: Action | undefined;
  /** What was pointed at. */
  readonly meant: readonly Element[];
  /** What was written. */
  readonly parts: readonly Part[];
}

/** So many ways are tried before it is given up. */
const MOST_TRIES = 40;
const MOST_SCROLLS = 8;

/** Plays it once, on a machine of its own. */
export function exampleOf(task: Task, { actions, ending }: Solution): Example {
  const follower = new Follower(task.instruction);
  const views: View[] = [];
  const steps = shownBy(task, actions).map(({ action, front, before }) => {
    const view = follower.view(before);
    views.push(view);
    const meant = action === undefined ? [] : pointsOf(action).flatMap(at => elementAt(before, at) ?? []);
    const text = action?.kind === 'type' ? action.text : undefined;
    const parts = text === undefined ? [] : partsOf(text, views);
    follower.did(view, meant, text);
    return { view, front, action, meant, parts };
  });
  return { ending, steps };
}

/** What solves the other instance; undefined where the example says nothing about it. */
export async function carriedOver(example: Example, task: Task): Promise<Solution | undefined> {
  return firstOf(MOST_TRIES, async choices => {
    const started = startOf(task);
    const actions = played(example, task.instruction, started.machine, choices);
    if (actions === undefined) return undefined;
    const { ending } = example;
    const ended = await evaluate(task, ending, async getter =>
      answer(getter, started.machine.world, started.start),
    );
    return isSuccess({ kind: 'judged', ending, verdict: ended }) ? { actions, ending } : undefined;
  });
}

/** The actions of one try; undefined where nothing stands for what was pointed at. */
function played(
  { steps }: Example,
  instruction: string,
  machine: PocketMachine,
  choices: Choices,
): readonly Action[] | undefined {
  const actions: Action[] = [];
  const follower = new Follower(instruction);
  const [known, views]: [View[], View[]] = [[], []];
  const written = new Map<string, string>();
  const act = (action: Action) => {
    actions.push(action);
    machine.perform(action);
  };
  for (const step of steps) {
    known.push(step.view);
    if (step.action === undefined) {
      const view = follower.view(machine.elements());
      views.push(view);
      follower.did(view, [], undefined);
    }
    bring(step.front, machine, act);
    if (step.action === undefined) continue;
    for (const meant of step.meant)
      actions.push(...scrollsTo(meant, step.view, () => follower.view(machine.elements()), machine));
    const view = follower.view(machine.elements());
    views.push(view);
    const found = step.meant.map(meant => choices.choose(standsFor(meant, step.view, view)));
    const text = step.parts.map(part => {
      const chosen =
        written.get(part.text) ?? choices.choose(freshFirst(writtenFor(part, known, views), written));
      if (chosen !== undefined) written.set(part.text, chosen);
      return chosen;
    });
    const action = alike(step.action, found, text);
    if (action === undefined) return undefined;
    act(action);
    follower.did(
      view,
      found.flatMap(each => each ?? []),
      action.kind === 'type' ? action.text : undefined,
    );
  }
  return actions;
}

/** Different texts are for different things: what stands for another one already is unlikely. */
function freshFirst(texts: readonly string[], written: ReadonlyMap<string, string>): readonly string[] {
  const used = new Set(written.values());
  return [...texts.filter(text => !used.has(text)), ...texts.filter(text => used.has(text))];
}

/** The same with other things and another text; undefined where one is missing. */
function alike(
  action: Action,
  found: readonly (Element | undefined)[],
  text: readonly (string | undefined)[],
): Action | undefined {
  const [at, to] = found.map(element => element && centre(element.box));
  switch (action.kind) {
    case 'type':
      return text.includes(undefined) ? undefined : { kind: 'type', text: text.join('') };
    case 'drag':
      return at && to && { kind: 'drag', from: at, to };
    default:
      return 'at' in action ? at && { ...action, at } : action;
  }
}

/** Brings an application to the front, unless it is there. */
function bring(app: string | undefined, machine: PocketMachine, act: (action: Action) => void): void {
  if (app === undefined || frontOf(machine.elements()) === app) return;
  const press = (role: string, name: string) => {
    const found = machine.elements().findLast(element => element.role === role && element.name === name);
    if (found !== undefined) act({ kind: 'click', at: centre(found.box) });
    return found !== undefined;
  };
  if (!press('button', app) && press('button', LAUNCHER)) press('menuitem', app);
}

/** The scrolls that bring into sight what is known by its name; none where it is in sight, or cannot be found. */
function scrollsTo(meant: Element, known: View, now: () => View, machine: PocketMachine): readonly Action[] {
  if (!isNamed(meant, known)) return [];
  const scrolls: Action[] = [];
  const start = looksOf(now());
  for (const direction of ['down', 'up'] as const) {
    for (let turn = 0; turn < MOST_SCROLLS; turn++) {
      const view = now();
      const there = standsFor(meant, known, view);
      if (there.some(each => isNamed(each, view))) return scrolls;
      const [over] = there;
      if (over === undefined) return scrolls;
      const scroll: Action = { kind: 'scroll', at: centre(over.box), direction, notches: NOTCHES };
      machine.perform(scroll);
      if (looksOf(now()) === looksOf(view)) break;
      scrolls.push(scroll);
    }
  }
  return looksOf(now()) === start ? [] : scrolls;
}

const looksOf = ({ elements }: View): string =>
  elements.map(({ role, name, box }) => `${role} ${name} ${box.x},${box.y}`).join('\n');
