// Cases of the metrics in `tasks/metrics/settings`.

import type { CaseMakers } from '../metric-case.ts';
import { THUNDERBIRD_CASES } from './settings-thunderbird.ts';
import { VLC_CASES } from './settings-vlc.ts';
import { changedText, foundText, oneIn, pick, repeat, shuffled } from './texts-choice.ts';
import { changedJson, jsonAtom, jsonRecord } from './texts-json.ts';
import { word, words } from './words.ts';

const KEYS = ['undo-levels', 'theme', 'hide-docks', 'tool-icon-size', 'history-item', 'session-info'];
const VALUES = ['100', '"Light"', '"Dark"', 'yes', 'no', '(1 2)', '"toolbox window"'];

export const SETTING_CASES = {
  ...VLC_CASES,
  ...THUNDERBIRD_CASES,
  check_json_settings: random => {
    const settings = {
      'files.autoSave': pick(random, ['afterDelay', 'off']),
      'editor.wordWrapColumn': pick<unknown>(random, [50, '50', 80]),
      'debug.focusEditorOnBreak': pick<unknown>(random, [false, 0, true]),
      'files.exclude': { '**/__pycache__': oneIn(random, 2) },
      folders: [{ path: 'project' }, { path: word(random) }],
      ...jsonRecord(random, 2),
    };
    const wanted = Object.fromEntries(shuffled(random, Object.entries(settings)).slice(0, random.int(4)));
    const text = JSON.stringify(settings, null, pick(random, [0, 4]));
    return {
      result: foundText(
        random,
        'settings.json',
        pick(random, [
          ...repeat(8, () => text),
          `// Settings\n${text}`,
          text.replace('}', ',}'),
          '[]',
          'null',
        ]),
      ),
      expected: { expected: oneIn(random, 3) ? changedJson(random, wanted) : wanted },
    };
  },
  check_json_keybindings: random => {
    const binding = (): Readonly<Record<string, unknown>> => ({
      key: `ctrl+${pick(random, ['f', 'j', 'k'])}`,
      command: pick(random, ['-list.find', 'workbench.action.focusActiveEditorGroup']),
      ...(oneIn(random, 2) && { when: pick(random, ['terminalFocus', 'listFocus && listSupportsFind']) }),
      ...(oneIn(random, 5) && { args: jsonAtom(random) }),
    });
    const list = repeat(1 + random.int(3), binding);
    const text = JSON.stringify(list, null, 4);
    const file = pick(random, [
      ...repeat(4, () => text),
      ...repeat(3, () => `// Place your key bindings in this file\n${text}`),
      `// One\n// Two\n${text}`,
      `[]\n${text}`,
      `{}\n${text}`,
      JSON.stringify(list[0]),
    ]);
    const expected = pick(random, [...list, ...list, binding()]);
    return {
      result: foundText(random, 'keybindings.json', file),
      expected: { expected: Object.fromEntries(shuffled(random, Object.entries(expected))) },
    };
  },
  is_extension_installed: random => {
    const installed = [...words(random, 3), 'ms-python.python'].join('\n');
    const expected = pick(random, ['ms-python.python', 'mattn.lisp', word(random), 'python']);
    const type = pick(random, ['contain', 'contain', 'contain', 'not_contain', 'not_contain', 'equal']);
    return {
      result: pick<unknown>(random, [...repeat(8, () => installed), '', installed.split('\n'), null]),
      expected: { type, expected },
    };
  },
  check_config_status: random => {
    const entry = (): readonly string[] => [
      pick(random, KEYS),
      ...repeat(random.int(3), () => word(random)),
      pick(random, VALUES),
    ];
    const entries = repeat(2 + random.int(4), entry);
    const lines = entries.map(words => {
      const text = `(${words.join(pick(random, [' ', ' ', '  ', '\t']))})`;
      return pick(random, [text, text, text, `    ${text}`, `# ${text}`, `${text})`, words.join(' ')]);
    });
    const [first = '', ...others] = pick(random, entries);
    const last = (others.at(-1) ?? first).split(' ').at(-1)?.replace(/\)+$/, '') ?? '';
    const key = pick<unknown>(random, [
      first,
      first,
      first,
      [first, others[0] ?? ''],
      [first, word(random)],
      [first],
    ]);
    const blank = oneIn(random, 12) ? pick(random, ['   ', '(', ')']) : '';
    return {
      result: foundText(random, 'gimprc', ['# GIMP gimprc', '', ...lines, blank].join('\n')),
      expected: {
        'type:': 'key-value',
        key,
        value: oneIn(random, 5) ? pick<unknown>(random, [...VALUES, 100, changedText(random, last)]) : last,
      },
    };
  },
  check_libre_locale: random => {
    const locale = pick(random, ['en-US', 'en-GB', 'de-DE', 'zh-CN', 'fr', '']);
    const item = (property: string, value: string): string =>
      `<item oor:path="${pick(random, ['/org.openoffice.Setup/L10N', '/org.openoffice.Setup/L10N', '/org.openoffice.Setup/Product'])}">` +
      `<prop oor:name="${property}" oor:op="fuse">${value === '' ? '<value/>' : `<value>${value}</value>`}</prop></item>`;
    const items = shuffled(random, [
      item('ooLocale', pick(random, ['en-US', locale])),
      ...(oneIn(random, 3) ? [] : [item('ooSetupSystemLocale', locale)]),
      item('ooSetupLastVersion', '7.3'),
      `<item oor:path="/org.openoffice.Office.Common/Misc"><prop oor:name="ooLocale" oor:op="fuse"><value>xx</value></prop></item>`,
    ]);
    const text =
      '<?xml version="1.0" encoding="UTF-8"?>\n<oor:items xmlns:oor="http://openoffice.org/2001/registry" ' +
      `xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n${items.join('\n')}\n</oor:items>\n`;
    const pattern = (): string =>
      pick(random, [
        locale,
        'en*',
        '*',
        '??-??',
        '[a-e]*-[!U]*',
        'EN-*',
        'en-US',
        '*-[A-Z][A-Z]',
        '[]f]r',
        'de-[',
        '?*?',
      ]);
    return {
      result: foundText(random, 'registrymodifications.xcu', text),
      expected: { locale_set: repeat(1 + random.int(2), pattern) },
    };
  },
} satisfies CaseMakers;
