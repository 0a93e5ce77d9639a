// Cases of metrics of cookies, the history, settings and the contents of pages.

import type { CaseMakers } from '../metric-case.ts';
import { addressOf } from './browser-urls.ts';
import { oneIn, pick, repeat, shuffled } from './texts-choice.ts';
import { jsonAtom } from './texts-json.ts';
import { word, words } from './words.ts';

export const BROWSER_SETTING_CASES = {
  is_cookie_deleted: random => {
    const domains = repeat(3, () =>
      pick(random, [
        '.amazon.com',
        'www.amazon.co.uk',
        '.google.com',
        'ads.example.org',
        'localhost',
        '192.168.0.1',
        `.${word(random).replace(/[^a-z]/g, '')}.com`,
      ]),
    );
    const rows = domains.map((domain, index) => [13_000 + index, domain, '', 'session', 'x']);
    return {
      result: pick<unknown>(random, [...repeat(10, () => rows), [], null]),
      expected: oneIn(random, 20)
        ? { type: 'names' }
        : {
            type: 'domains',
            domains: repeat(1 + random.int(2), () =>
              pick(random, [
                '.amazon.com',
                'amazon.de',
                'example.org',
                'https://www.google.com/',
                '.bing.com',
                '192.168.0.2',
              ]),
            ),
          },
    };
  },
  is_shortcut_on_desktop: random => {
    const name = `Play ${word(random)}`;
    const text = (): string =>
      `[Desktop Entry]\nName=${pick(random, [name, name, word(random)])}\nExec=${pick(random, ['/opt/google/chrome', 'xterm'])} --app\nType=Application\n`;
    const shortcuts = Object.fromEntries(
      repeat(1 + random.int(3), index => [`/home/user/Desktop/${index}.desktop`, text()]),
    );
    return {
      result: pick<unknown>(random, [...repeat(10, () => shortcuts), {}, { a: `Name=${name}` }, null]),
      expected: pick<unknown>(
        random,
        [
          { type: 'name', name },
          { type: 'name', name: name.slice(0, 6) },
          { type: 'exec', exec: '/opt/google/chrome --app' },
          { type: 'url', url: 'https://x.org' },
        ].slice(0, oneIn(random, 8) ? 4 : 3),
      ),
    };
  },
  check_font_size: random => ({
    result: pick<unknown>(random, [
      ...repeat(12, () => ({ default_font_size: 14 + random.int(8), minimum_font_size: 0 })),
      {},
      { default_font_size: '16' },
      null,
    ]),
    expected: pick<unknown>(random, [
      { type: 'value', value: 14 + random.int(4) },
      { type: 'range', min: 10 + random.int(6), max: 18 + random.int(9) },
      { type: 'range', min: 14, max: 99_999 },
      { type: 'range', min: 0, max: 15 + random.int(8) },
      { type: 'size', value: 16 },
    ]),
  }),
  check_enabled_experiments: random => {
    const names = ['chrome-refresh-2023', 'chrome-webui-refresh-2023'];
    const found = names.map(name => `${name}@${pick(random, ['1', '2'])}`);
    return {
      result: pick<unknown>(random, [
        ...repeat(6, () => found),
        names,
        shuffled(random, found),
        found.slice(1),
        [],
        [...found, 'x@1@2'],
        null,
      ]),
      expected: oneIn(random, 12)
        ? { type: 'ids', names }
        : { type: 'names', names: pick(random, [names, names, names, [...names, 'x'], []]) },
    };
  },
  check_history_deleted: random => {
    const rows = repeat(random.int(4), () => [
      pick(random, ['https://www.youtube.com/watch?v=1', addressOf(random)]),
      word(random),
      13,
    ]);
    return {
      result: pick<unknown>(random, [...repeat(12, () => rows), null]),
      expected: oneIn(random, 20)
        ? { type: 'names', keywords: [] }
        : { type: 'keywords', keywords: pick(random, [['youtube'], [word(random)], ['example'], []]) },
    };
  },
  is_added_to_steam_cart: random => {
    const items = words(random, 2);
    const content = [...words(random, 6), ...(oneIn(random, 3) ? [] : items)].join(' ');
    return {
      result: pick<unknown>(random, [
        ...repeat(8, () => ({ title: 'Cart', url: 'x', content })),
        { title: 'Cart' },
        { content: jsonAtom(random) },
        null,
      ]),
      expected: { items: oneIn(random, 10) ? [] : items },
    };
  },
} satisfies CaseMakers;
