// Cases of metrics that check the outputs of commands of a desktop.

import type { CaseMakers } from '../metric-case.ts';
import { oneIn, pick, repeat, shuffled } from './texts-choice.ts';
import { word } from './words.ts';

export const TEXT_DESKTOP_CASES = {
  is_utc_0: random => {
    const zone = pick(random, [
      'Etc/UTC (UTC, +0000)',
      'Europe/London (GMT, +0000)',
      'Africa/Monrovia (GMT, +0000)',
      'Etc/UCT (UTC, +0000)',
      'Atlantic/Faroe (WET, +0000)',
      'Africa/Abidjan (GMT, +0000)',
      'Europe/Berlin (CET, +0100)',
      'Etc/UTC (UTC, +0000) ',
      'Asia/Kolkata (IST, +0530)',
    ]);
    const output = [
      '               Local time: Thu 2024-01-25 12:56:06 WET',
      '           Universal time: Thu 2024-01-25 12:56:06 UTC',
      '                 RTC time: Thu 2024-01-25 12:56:05',
      `                Time zone: ${zone}`,
      'System clock synchronized: yes',
    ];
    return {
      result: pick(random, [
        ...repeat(8, () => output.join('\n')),
        output.slice(1).join('\n'),
        output.join('\r\n'),
        output.slice(0, 2).join('\n'),
        null,
      ]),
    };
  },
  check_text_enlarged: random => {
    const factor = pick(random, [
      '1.25',
      '1.5',
      '1.0',
      '0.75',
      '2',
      '1.0000001',
      '1e1',
      '1_0',
      '.5',
      '5.',
      'inf',
      '-inf',
      'nan',
    ]);
    const number = Number.parseFloat(factor) || 0;
    const printed = [factor, `${factor}\n`, ` ${factor} `, `\t${factor}\r\n`, `${factor}\u00a0`, number];
    return { result: pick<unknown>(random, [...printed, ...printed, 'large', '', '-', null]) };
  },
  check_gnome_favorite_apps: random => {
    const apps = repeat(1 + random.int(5), () => `${word(random).replaceAll("'", '')}.desktop`);
    const printed = `[${apps.map(app => (oneIn(random, 4) ? `"${app}"` : `'${app}'`)).join(pick(random, [', ', ',', ' , ']))}]`;
    const result = pick<unknown>(random, [
      ...repeat(6, () => printed),
      `${printed}\n`,
      ` ${printed}`.trimStart(),
      printed.replace(']', ',]'),
      '@as []',
      '[]',
      printed.slice(1),
      `['${apps[0]}\\n']`,
      null,
    ]);
    const expected = pick(random, [
      ...repeat(4, () => shuffled(random, apps)),
      apps.slice(1),
      [...apps, 'x.desktop'],
      [...apps.slice(1), apps[1] ?? 'x'],
    ]);
    return { result, expected: { expected } };
  },
  check_moved_jpgs: random => {
    const names = repeat(1 + random.int(5), () => `${word(random)}.jpg`);
    const tree = (all: readonly string[]): unknown => ({
      type: 'directory',
      name: 'cpjpg',
      children: all.map(name => ({ type: 'file', name })),
    });
    const result = pick<unknown>(random, [
      tree(names),
      tree(shuffled(random, names)),
      tree(names.slice(1)),
      tree([...names, 'more.jpg']),
      tree([names[0] ?? '', ...names.slice(0, -1)]),
      { type: 'file', name: 'cpjpg' },
      null,
    ]);
    return { result, expected: { expected: names } };
  },
} satisfies CaseMakers;
