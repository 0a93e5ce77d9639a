// Helpers for tests of outcomes: machines with the world they started from, and scripts.

import { seed } from '../../../../../runtime/core/ids.ts';
import {
  type AppOpening,
  SCREEN,
  worldFromSetup,
} from '../../../../../runtime/environments/pocket/getters.ts';
import { PocketMachine } from '../../../../../runtime/environments/pocket/machine.ts';
import {
  outcomeOf,
  type WorldChange,
  type WorldOutcome,
} from '../../../../../runtime/environments/pocket/tasks/outcomes.ts';
import {
  doubleClick,
  openApp,
  type PocketScript,
  press,
  ScriptedUser,
  steps,
  write,
} from '../../../../../runtime/environments/pocket/tasks/scripted-user.ts';
import { POCKET } from '../../../../../runtime/environments/pocket/tasks/suite.ts';
import type { PocketWorld } from '../../../../../runtime/environments/pocket/world.ts';

export interface Episode {
  readonly machine: PocketMachine;
  readonly change: WorldChange;
}

function machineOf(world: PocketWorld, openings: readonly AppOpening[]): Episode {
  const start = structuredClone(world);
  const machine = new PocketMachine(world, SCREEN);
  for (const { app, what } of openings) machine.open(app, what);
  return { machine, change: { start, end: world, openings } };
}

export function taskOf(id: string, number: number): Episode {
  const { world, openings } = worldFromSetup(POCKET.task(id, seed(number)).config ?? []);
  return machineOf(world, openings);
}

export function outcomeAfter({ machine, change }: Episode, script: PocketScript): WorldOutcome | undefined {
  script(new ScriptedUser(machine));
  return outcomeOf(change);
}

/** A small desktop on which a test causes single outcomes. */
export function desktop(...openings: readonly AppOpening[]): Episode {
  const { world } = worldFromSetup([
    {
      type: 'pocket_world',
      parameters: {
        now: '2026-03-12 10:24',
        contacts: [
          { name: 'Ada Abel', phone: '030 111', mail: 'ada@mail.org', company: 'Oakline' },
          { name: 'Hugo Hart', phone: '', mail: 'hugo@mail.org', company: '' },
        ],
        mails: [
          mail(1, 'Inbox', 'Budget', { from: 'ada@mail.org' }),
          mail(2, 'Inbox', 'Survey', { from: 'hugo@mail.org', read: true }),
          mail(3, 'Trash', 'Old news', { read: true }),
          mail(4, 'Trash', 'Older news', { read: true }),
          mail(5, 'Inbox', 'Training', { from: 'hugo@mail.org' }),
        ],
        events: [
          { id: 1, date: '2026-03-12', time: '11:00', title: 'Dentist' },
          { id: 2, date: '2026-03-17', time: '15:00', title: 'Book club' },
        ],
        root: folder({
          Documents: folder({ Projects: folder({ 'plan.txt': file('a plan') }), 'lamp.txt': file('lamps') }),
          Downloads: folder({}),
          Notes: folder({ 'list.txt': file('bread\nmilk'), 'other.txt': file('other') }),
          Trash: folder({ 'gone.txt': file('gone'), 'lost.txt': file('lost') }),
        }),
      },
    },
  ]);
  return machineOf(world, openings);
}

const file = (text: string) => ({ kind: 'file', text }) as const;
const folder = (entries: Readonly<Record<string, unknown>>) => ({ kind: 'folder', entries }) as const;
const mail = (id: number, where: string, subject: string, fields: object) => ({
  ...{ id, folder: where, from: 'x@y.org', to: 'me@pocket.example', subject, body: 'Hello' },
  ...{ read: false, starred: false },
  ...fields,
});

export const files = (what = '/Documents'): AppOpening => ({ app: 'files', what });
export const note: AppOpening = { app: 'notes', what: '/Notes/list.txt' };
export const app = (name: string): AppOpening => ({ app: name });
export const writeAll = (...texts: readonly string[]): PocketScript => steps(...texts.map(write));
export const saves = (text: string): PocketScript => steps(write(text), press('ctrl', 's'));
export const opens = (name: string, script: PocketScript): PocketScript => steps(openApp(name), script);
export const edits = (event: string, change: PocketScript): PocketScript =>
  steps(doubleClick('listitem', event), change, press('enter'));
