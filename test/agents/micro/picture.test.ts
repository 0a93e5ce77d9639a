import { expect, test } from 'vitest';
import { pictureOf } from '../../../runtime/agents/micro/picture.ts';
import { patchTarget } from '../../../runtime/agents/micro/row.ts';
import { key } from '../../../runtime/core/key.ts';
import { contains } from '../../../runtime/core/screen.ts';
import { startOf } from '../../../runtime/environments/pocket/getters.ts';
import { POCKET } from '../../../runtime/environments/pocket/tasks/suite.ts';

const pictureIn = (theme: 'light' | 'dark') => {
  const task = POCKET.task('settings-mute', POCKET.seed('train', 0));
  const { machine } = startOf(task);
  machine.world.settings.theme = theme;
  machine.perform({ kind: 'hotkey', keys: [key('tab')] });
  return { machine, picture: pictureOf({ layout: 'rgba', ...machine.size, data: machine.pixels() }) };
};

test('every label of a screen has a patch, and the words of one label are one phrase', () => {
  const { machine, picture } = pictureIn('light');
  for (const { role, name, box } of machine.elements()) {
    if (role !== 'tab' && role !== 'checkbox') continue;
    const inside = picture.patches.filter(patch => contains(box, patchTarget(patch)));
    expect(inside.length, `${role} ${name}`).toBeGreaterThan(0);
    if (role === 'tab') expect(new Set(inside.map(({ phrase }) => phrase)).size, name).toBe(1);
  }
});

test('a word looks the same in the light and in the dark theme', () => {
  const [light, dark] = [pictureIn('light').picture, pictureIn('dark').picture];
  const ofTab = (picture: typeof light) => {
    const index = picture.patches.findIndex(
      ({ box }) => box.x > 60 && box.x < 80 && box.y > 20 && box.y < 30,
    );
    return picture.squares.subarray(256 * index, 256 * (index + 1));
  };
  const [one, other] = [ofTab(light), ofTab(dark)];
  const different = one.filter((value, at) => Math.abs(value - (other[at] ?? 0)) > 64).length;
  expect(one.length).toBe(256);
  expect(different).toBeLessThan(16);
});
