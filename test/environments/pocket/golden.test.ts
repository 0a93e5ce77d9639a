// Golden pictures of every application at the start and end of a scripted solution. A changed pixel fails the test, which writes
// the difference to out/golden. For an intended change: run UPDATE_GOLDEN=1 npm test, check the pictures, increase RENDERER.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { decode, encode } from 'fast-png';
import { expect, test } from 'vitest';
import { seed } from '../../../runtime/core/ids.ts';
import { SCREEN, worldFromSetup } from '../../../runtime/environments/pocket/getters.ts';
import { PocketMachine } from '../../../runtime/environments/pocket/machine.ts';
import { ScriptedUser } from '../../../runtime/environments/pocket/tasks/scripted-user.ts';
import { POCKET } from '../../../runtime/environments/pocket/tasks/suite.ts';

const KEPT = fileURLToPath(new URL('./golden/', import.meta.url));
const LEFT = fileURLToPath(new URL('../../../out/golden/', import.meta.url));
const UPDATE = process.env['UPDATE_GOLDEN'] === '1';

/** One task per application and one across several. The seeds include both themes. */
const PICTURED: readonly (readonly [id: string, number: number])[] = [
  ['settings-network', 0],
  ['files-into-new-folder', 2],
  ['notes-save-as', 1],
  ['mail-forward', 3],
  ['contacts-add', 4],
  ['calendar-add', 5],
  ['calculator-note', 7],
  ['across-sum-note', 6],
];

const pictureOf = (machine: PocketMachine): Uint8Array =>
  encode({ ...SCREEN, data: machine.pixels(), channels: 4, depth: 8 });

/** The changed pixels in red over a pale copy of the picture. */
function difference(kept: Uint8Array, now: Uint8Array): Uint8Array {
  const [before, after] = [decode(kept).data, decode(now).data];
  const data = Uint8Array.from(after, (level, at) => (at % 4 === 3 ? 255 : 170 + Math.floor(level / 3)));
  for (let pixel = 0; pixel < data.length; pixel += 4) {
    const same = [0, 1, 2].every(channel => before[pixel + channel] === after[pixel + channel]);
    if (!same) data.set([220, 30, 30], pixel);
  }
  return encode({ ...SCREEN, data, channels: 4, depth: 8 });
}

function compare(name: string, now: Uint8Array): void {
  const file = `${KEPT}${name}.png`;
  if (UPDATE || !existsSync(file)) {
    expect(UPDATE, `${file} is missing; make it with UPDATE_GOLDEN=1, and look at it`).toBe(true);
    mkdirSync(KEPT, { recursive: true });
    writeFileSync(file, now);
    return;
  }
  const kept = new Uint8Array(readFileSync(file));
  if (Buffer.from(decode(kept).data.buffer).equals(Buffer.from(decode(now).data.buffer))) return;
  mkdirSync(LEFT, { recursive: true });
  writeFileSync(`${LEFT}${name}-actual.png`, now);
  writeFileSync(`${LEFT}${name}-difference.png`, difference(kept, now));
  expect.fail(`${name} is drawn differently: see ${LEFT}${name}-difference.png`);
}

test.each(PICTURED)('%s matches its golden pictures', (id, number) => {
  const { world, openings } = worldFromSetup(POCKET.task(id, seed(number)).config ?? []);
  const machine = new PocketMachine(world, SCREEN);
  for (const { app, what } of openings) machine.open(app, what);
  compare(`${id}-start`, pictureOf(machine));
  POCKET.instance(id, number).solve(new ScriptedUser(machine));
  compare(`${id}-end`, pictureOf(machine));
});
