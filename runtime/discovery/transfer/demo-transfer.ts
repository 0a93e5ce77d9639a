// Transfers a demonstration to another instance of its task: plays both instances side by side, and applies each action to the
// corresponding element of the other. It knows what an agent could know (instructions, screens) and the result of the evaluator.

import { type Action, NOTCHES, pointsOf } from '../../core/action.ts';
import { centre, type Element, elementAt } from '../../core/screen.ts';
import type { Task } from '../../core/task.ts';
import { isSuccess } from '../../core/verdict.ts';
import { answer, startOf } from '../../environments/pocket/getters.ts';
import type { PocketMachine } from '../../environments/pocket/machine.ts';
import type { Solution } from '../../environments/pocket/tasks/suite.ts';
import { evaluate } from '../../tasks/evaluate.ts';
import { demoStepsOf, frontOf, LAUNCHER } from './demo-trace.ts';
import { Follower } from './follower.ts';
import { counterpartsOf, type DemoView, isNamed } from './likeness.ts';
import { bestFirstSearch, type ChoiceSequence } from './search.ts';
import { partsOf, type TextPart, textFor } from './text-mapping.ts';

/** A demonstration, prepared for transfer. */
export interface DemoExample {
  readonly ending: Solution['ending'];
  readonly steps: readonly ExampleStep[];
}

interface ExampleStep {
  readonly view: DemoView;
  readonly front: string | undefined;
  readonly action: Action | undefined;
  /** Elements under the pointer. */
  readonly meant: readonly Element[];
  /** Typed text in parts. */
  readonly parts: readonly TextPart[];
}

const MAX_ATTEMPTS = 40;
const MAX_SCROLLS = 8;

/** Replays the demonstration once. */
export function exampleOf(task: Task, { actions, ending }: Solution): DemoExample {
  const follower = new Follower(task.instruction);
  const views: DemoView[] = [];
  const steps = demoStepsOf(task, actions).map(({ action, front, before }) => {
    const view = follower.view(before);
    views.push(view);
    const meant = action === undefined ? [] : pointsOf(action).flatMap(at => elementAt(before, at) ?? []);
    const text = action?.kind === 'type' ? action.text : undefined;
    const parts = text === undefined ? [] : partsOf(text, views);
    follower.record(view, meant, text);
    return { view, front, action, meant, parts };
  });
  return { ending, steps };
}

/** A solution of the other instance; undefined if no attempt solves it. */
export async function transferDemo(example: DemoExample, task: Task): Promise<Solution | undefined> {
  return bestFirstSearch(MAX_ATTEMPTS, async choices => {
    const started = startOf(task);
    const actions = actionsFor(example, task.instruction, started.machine, choices);
    if (actions === undefined) return undefined;
    const { ending } = example;
    const ended = await evaluate(task, ending, async getter =>
      answer(getter, started.machine.world, started.start),
    );
    return isSuccess({ kind: 'judged', ending, verdict: ended }) ? { actions, ending } : undefined;
  });
}

/** The actions of one attempt; undefined if an element has no counterpart. */
function actionsFor(
  { steps }: DemoExample,
  instruction: string,
  machine: PocketMachine,
  choices: ChoiceSequence,
): readonly Action[] | undefined {
  const actions: Action[] = [];
  const follower = new Follower(instruction);
  const [known, views]: [DemoView[], DemoView[]] = [[], []];
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
      follower.record(view, [], undefined);
    }
    bring(step.front, machine, act);
    if (step.action === undefined) continue;
    for (const meant of step.meant)
      actions.push(...scrollsTo(meant, step.view, () => follower.view(machine.elements()), machine));
    const view = follower.view(machine.elements());
    views.push(view);
    const found = step.meant.map(meant => choices.choose(counterpartsOf(meant, step.view, view)));
    const text = step.parts.map(part => {
      const chosen =
        written.get(part.text) ?? choices.choose(freshFirst(textFor(part, known, views), written));
      if (chosen !== undefined) written.set(part.text, chosen);
      return chosen;
    });
    const action = actionOn(step.action, found, text);
    if (action === undefined) return undefined;
    act(action);
    follower.record(
      view,
      found.flatMap(each => each ?? []),
      action.kind === 'type' ? action.text : undefined,
    );
  }
  return actions;
}

/** Texts that already replace another one come last. */
function freshFirst(texts: readonly string[], written: ReadonlyMap<string, string>): readonly string[] {
  const used = new Set(written.values());
  return [...texts.filter(text => !used.has(text)), ...texts.filter(text => used.has(text))];
}

/** The same action on other elements and with other text; undefined if one is missing. */
function actionOn(
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

/** Brings an application to the front. */
function bring(app: string | undefined, machine: PocketMachine, act: (action: Action) => void): void {
  if (app === undefined || frontOf(machine.elements()) === app) return;
  const press = (role: string, name: string) => {
    const found = machine.elements().findLast(element => element.role === role && element.name === name);
    if (found !== undefined) act({ kind: 'click', at: centre(found.box) });
    return found !== undefined;
  };
  if (!press('button', app) && press('button', LAUNCHER)) press('menuitem', app);
}

/** Scrolls that bring a named element into sight; none if it is in sight or cannot be found. */
function scrollsTo(
  meant: Element,
  known: DemoView,
  now: () => DemoView,
  machine: PocketMachine,
): readonly Action[] {
  if (!isNamed(meant, known)) return [];
  const scrolls: Action[] = [];
  const start = looksOf(now());
  for (const direction of ['down', 'up'] as const) {
    for (let turn = 0; turn < MAX_SCROLLS; turn++) {
      const view = now();
      const there = counterpartsOf(meant, known, view);
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

const looksOf = ({ elements }: DemoView): string =>
  elements.map(({ role, name, box }) => `${role} ${name} ${box.x},${box.y}`).join('\n');
