// A kind of desktops for tests, of which nothing but the seam is known: two buttons, calls that take a while, and now and then a
// desktop that breaks. It cannot be drawn again: the colour of its screen says how many actions there were.

import type { Action } from '../../../runtime/core/action.ts';
import type { Clock } from '../../../runtime/core/clock.ts';
import type { Desktop } from '../../../runtime/core/desktop.ts';
import { BoundaryError } from '../../../runtime/core/failure.ts';
import { type DesktopId, seed, taskId } from '../../../runtime/core/ids.ts';
import { type Random, seeded } from '../../../runtime/core/rng.ts';
import { centre, contains, type Element, type Screen } from '../../../runtime/core/screen.ts';
import type { Task } from '../../../runtime/core/task.ts';
import type { Verdict } from '../../../runtime/core/verdict.ts';
import type { DesktopProvider } from '../../../runtime/environments/provider.ts';
import type { Suite } from '../../../runtime/environments/suite.ts';

export const BUTTONS: readonly Element[] = ['left', 'right'].map((name, index) => ({
  ...{ role: 'button', name, value: '', states: [] },
  box: { x: 4 + 24 * index, y: 8, width: 16, height: 10 },
}));
const SIZE = { width: 48, height: 32 };

const taskOf = (id: string): Task => ({
  id: taskId(id),
  instruction: `Press ${id}.`,
  evaluator: { func: 'exact_match' },
  dartboard: { max_steps: 4 },
});

export const BUTTON_SUITE: Suite = {
  templates: BUTTONS.map(({ name }) => ({ id: name, tier: 1, apps: [] })),
  template: id => ({ id, tier: 1, apps: [] }),
  tasks: split => (split === 'unseen' ? [] : BUTTONS.map(({ name }) => taskId(name))),
  trainSeeds: 32,
  seed: (split, index) => seed(split === 'train' ? index % 32 : 100 + index),
  task: taskOf,
};

/** What would be judged after these actions. */
export const wouldScore = (task: string, actions: readonly Action[]): number => {
  const pressed = actions.flatMap(action =>
    action.kind === 'click' ? BUTTONS.filter(({ box }) => contains(box, action.at)) : [],
  );
  return pressed.at(-1)?.name === task ? 1 : 0;
};

interface ButtonOptions {
  readonly clock: Clock;
  /** How often a call breaks its desktop, from 0 to 1. */
  readonly breaks?: number;
  /** The desktop makes the instruction, and a pressed button ends the episode. */
  readonly isGame?: boolean;
  /** Tasks without a scripted solution. */
  readonly withoutScript?: readonly string[];
}

export const GAME_INSTRUCTION = 'Hit the button';

export function buttonDesktops({ clock, breaks = 0, isGame = false, withoutScript = [] }: ButtonOptions) {
  const log: string[] = [];
  const random = seeded('buttons');
  const desktops: DesktopProvider = {
    suite: BUTTON_SUITE,
    make: async id => {
      await clock.sleep(1);
      log.push(`made ${id}`);
      return buttonDesktop(id, { clock, random: random.fork(`${id} ${log.length}`), breaks, isGame }, log);
    },
    isScripted: task => !withoutScript.includes(task),
    solver: (_, instruction) => {
      let isPressed = false;
      return ({ elements = [] }) => {
        const found = elements.find(({ name }) => instruction.endsWith(`${name}.`));
        if (isPressed || found === undefined) return { kind: 'finished', answer: '' };
        isPressed = true;
        return { kind: 'click', at: centre(found.box) };
      };
    },
    close: async () => void log.push('closed all'),
  };
  return { desktops, log };
}

interface World {
  readonly clock: Clock;
  readonly random: Random;
  readonly breaks: number;
  readonly isGame: boolean;
}

function buttonDesktop(id: DesktopId, { clock, random, breaks, isGame }: World, log: string[]): Desktop {
  // One framebuffer, drawn over by each step, as a real desktop has it.
  const data = new Uint8Array(4 * SIZE.width * SIZE.height);
  let actions: Action[] = [];
  let task = '';
  const call = async <T>(answer: () => T): Promise<T> => {
    await clock.sleep(1 + random.int(3));
    if (random.next() < breaks)
      throw new BoundaryError({ boundary: 'environment', thing: id, message: 'its screen went away' });
    return answer();
  };
  const screen = (): Screen => {
    data.fill(10 * actions.length);
    const isOver = isGame && actions.some(({ kind }) => kind === 'click');
    return { pixels: { layout: 'rgba', ...SIZE, data }, elements: BUTTONS, ...(isOver && { isOver }) };
  };
  const judged = (): Verdict => {
    log.push(`judged ${task}`);
    return { score: wouldScore(task, actions), why: 'the button that was pressed last' };
  };
  return {
    id,
    reset: ({ id: asked }) => {
      [task, actions] = [asked, []];
      return call(() => ({
        ...screen(),
        ...(isGame && { instruction: `${GAME_INSTRUCTION} ${asked}.` }),
      }));
    },
    act: action => {
      actions.push(action);
      return call(screen);
    },
    judge: () => call(judged),
    query: () => call(() => undefined),
    setup: () => call(() => undefined),
    close: async () => void log.push(`closed ${id}`),
  };
}
