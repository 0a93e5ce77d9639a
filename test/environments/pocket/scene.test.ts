// Properties of scenes under random use of every application: partial redraws equal a full redraw, and elements are where
// their boxes are.

import { describe, expect, test } from 'vitest';
import type { Action } from '../../../runtime/core/action.ts';
import { key } from '../../../runtime/core/key.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import { type Box, centre, type Element } from '../../../runtime/core/screen.ts';
import { intersection, sameBox } from '../../../runtime/environments/box.ts';
import { worldFromSetup } from '../../../runtime/environments/pocket/getters.ts';
import { PocketMachine } from '../../../runtime/environments/pocket/machine.ts';
import { randomAction } from '../../../runtime/environments/pocket/random-agent.ts';
import { ElementReader } from '../../../runtime/environments/pocket/shell/elements.ts';
import { type Item, layerAt, layerOf, paint } from '../../../runtime/environments/pocket/shell/scene.ts';
import { Surface } from '../../../runtime/environments/pocket/surface.ts';
import { THEMES } from '../../../runtime/environments/pocket/theme.ts';

const SIZE = { width: 320, height: 240 };
const SCREEN: Box = { x: 0, y: 0, ...SIZE };
const APPS = ['files', 'notes', 'mail', 'contacts', 'calculator', 'calendar', 'settings'];
const STEPS = 60;

/** Data for every application. */
const SETUP = [
  {
    type: 'pocket_world',
    parameters: {
      contacts: [{ name: 'Ada Abel', phone: '555-0100', mail: 'ada@example.com', company: 'Quill' }],
      events: [
        { id: 1, date: '2026-03-12', time: '09:00', title: 'Stand-up' },
        { id: 2, date: '2026-03-12', time: '15:30', title: 'Dentist' },
      ],
      mails: Array.from({ length: 14 }, (_, index) => ({
        id: index + 1,
        folder: index % 4 === 3 ? 'Sent' : 'Inbox',
        from: 'ada@example.com',
        to: 'me@example.com',
        subject: `Letter ${index + 1}`,
        body: 'All is well here. '.repeat(index + 1),
        read: index % 2 === 0,
        starred: false,
      })),
      root: {
        kind: 'folder',
        entries: {
          Documents: {
            kind: 'folder',
            entries: { 'plan.txt': { kind: 'file', text: 'One\nTwo\nThree\n'.repeat(8) } },
          },
          Notes: { kind: 'folder', entries: { 'list.txt': { kind: 'file', text: 'Eggs' } } },
          Trash: { kind: 'folder', entries: {} },
        },
      },
    },
  },
];

/** Random use of a desktop with two open applications; `look` runs after every action. */
function used(seed: string, app: string, look: (machine: PocketMachine, action: Action) => void): void {
  const random = seeded(seed);
  const machine = new PocketMachine(worldFromSetup(structuredClone(SETUP)).world, SIZE);
  machine.open(APPS[(APPS.indexOf(app) + 1) % APPS.length] ?? app);
  machine.open(app);
  for (let step = 0; step < STEPS; step++) {
    // Random actions seldom find the theme, so the test changes it directly.
    if (random.next() < 0.03) {
      machine.world.settings.theme = random.next() < 0.5 ? 'light' : 'dark';
      machine.open(app);
    }
    // For the same reason the other window is raised now and then.
    const action: Action =
      random.next() < 0.08
        ? { kind: 'hotkey', keys: [key('alt'), key('tab')] }
        : randomAction(random, machine.elements(), SIZE);
    machine.perform(action);
    look(machine, action);
  }
}

function repainted({ shell, world }: PocketMachine): Surface {
  const whole = new Surface(SIZE.width, SIZE.height);
  paint(whole, shell.scene, SCREEN, THEMES[world.settings.theme]);
  return whole;
}

/** The appearance of the items of a layer. */
const looks = (items: readonly Item[]): readonly unknown[] =>
  items.map(({ widget, box, visible }) => ({
    paintKey: widget.paintKey,
    box,
    visible,
    description: widget.describe,
  }));

const says = ({ role, name, box }: Element): string => `${role} '${name}' [${Object.values(box)}]`;

const EPISODES = 6;

describe.each(APPS)('with %s open', app => {
  test.each([1, 0.3])('partial redraws, read with probability %d, equal a full redraw', chance => {
    for (let episode = 0; episode < EPISODES; episode++) {
      const looks = seeded(`look ${app} ${episode}`);
      used(`paint ${app} ${episode}`, app, (machine, action) => {
        if (looks.next() > chance) return;
        const whole = repainted(machine).pixels;
        const wrong = machine.surface.pixels.findIndex((pixel, index) => pixel !== whole[index]);
        const place = `x ${wrong % SIZE.width}, y ${Math.floor(wrong / SIZE.width)}`;
        expect(wrong, `${JSON.stringify(action)} leaves another pixel at ${place}`).toBe(-1);
      });
    }
  });

  test('every window, in front or behind, shows the current view of its application', () => {
    for (let episode = 0; episode < EPISODES; episode++) {
      used(`windows ${app} ${episode}`, app, ({ shell }, action) => {
        for (const { app: shown } of shell.windows.visible) {
          const { items = [] } = shell.scene.find(({ id }) => id === `window ${shown.id}`) ?? {};
          // The first items are the frame, its title and two buttons.
          const [, title, , , content] = items;
          expect(title?.widget.describe?.name, JSON.stringify(action)).toBe(shown.title());
          const { items: anew } = layerOf('', shown.view(), content?.box ?? SCREEN);
          expect(looks(items.slice(4)), `${shown.id} after ${JSON.stringify(action)}`).toEqual(looks(anew));
        }
      });
    }
  });

  test('elements read with the cache equal those read without it', () => {
    for (let episode = 0; episode < EPISODES; episode++) {
      used(`read ${app} ${episode}`, app, (machine, action) => {
        expect(machine.elements(), JSON.stringify(action)).toEqual(
          new ElementReader().read(machine.shell.scene),
        );
      });
    }
  });

  test('every element is on the screen, and its own layer is in front at its centre', () => {
    for (let episode = 0; episode < EPISODES; episode++) {
      used(`elements ${app} ${episode}`, app, machine => {
        for (const element of machine.elements()) {
          const { box, role, name } = element;
          expect(sameBox(intersection(box, SCREEN), box), says(element)).toBe(true);
          const layer = layerAt(machine.shell.scene, centre(box));
          const own = layer?.items.some(
            ({ widget, visible }) =>
              widget.describe?.role === role &&
              widget.describe.name === name &&
              sameBox(intersection(visible, box), box),
          );
          expect(own, `${says(element)} is behind ${layer?.id}`).toBe(true);
        }
      });
    }
  });
});
