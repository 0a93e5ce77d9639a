// Cases of the metrics that read settings of LibreOffice and the accessibility tree of its window.

import type { Random } from '../../../core/rng.ts';
import type { CaseMakers } from '../metric-case.ts';
import { oneIn, pick } from './slides-deck.ts';
import { textFile } from './words.ts';

interface Setting {
  readonly path: string;
  readonly name: string;
  readonly value: string;
}

const item = ({ path, name, value }: Setting): string =>
  `<item oor:path="${path}"><prop oor:name="${name}" oor:op="fuse">${
    value === '' ? '<value/>' : `<value>${value}</value>`
  }</prop></item>`;

const settingsText = (settings: readonly Setting[]): string =>
  '<?xml version="1.0" encoding="UTF-8"?>\n<oor:items xmlns:oor="http://openoffice.org/2001/registry" ' +
  'xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n' +
  `${settings.map(item).join('\n')}\n</oor:items>\n`;

const START = '/org.openoffice.Office.Impress/Misc/Start';
const SAVING = '/org.openoffice.Office.Common/Save/Document';

const OTHERS: readonly Setting[] = [
  { path: START, name: 'ShowIntro', value: 'true' },
  { path: '/org.openoffice.Setup/L10N', name: 'ooLocale', value: 'zürich' },
  { path: SAVING, name: 'AutoSave', value: 'true' },
];

/** A settings file with the given settings in random places among others, or one that is missing or damaged. */
function settingsFile(random: Random, settings: readonly Setting[]): unknown {
  if (oneIn(random, 16)) return null;
  const others = OTHERS.filter(() => oneIn(random, 2));
  const split = random.int(others.length + 1);
  const text = settingsText([...others.slice(0, split), ...settings, ...others.slice(split)]);
  const damaged = pick(random, [text.slice(0, text.length >> 1), '', text.replace('</oor:items>', '')]);
  return textFile('registrymodifications.xcu', oneIn(random, 12) ? damaged : text);
}

export const SETTINGS_CASES = {
  check_presenter_console_disable: random => {
    const values = ['false', 'false', 'false', 'false', 'False', 'true', ' false', ''] as const;
    const settings = Array.from({ length: oneIn(random, 8) ? 2 : 1 }, () => ({
      path: oneIn(random, 12) ? SAVING : START,
      name: oneIn(random, 12) ? 'StartWithTemplate' : 'EnablePresenterScreen',
      value: pick(random, values),
    }));
    return { result: settingsFile(random, settings) };
  },

  check_auto_saving_time: random => {
    const minutes = pick(random, [3, 3, 5, 15]);
    const values = [...Array<string>(5).fill(`${minutes}`), ` ${minutes}\n`, '10', 'three', ''];
    const settings = Array.from({ length: oneIn(random, 8) ? 2 : 1 }, () => ({
      path: oneIn(random, 14) ? START : SAVING,
      name: oneIn(random, 14) ? 'AutoSaveInterval' : 'AutoSaveTimeIntervall',
      value: pick(random, values),
    }));
    return {
      result: settingsFile(random, settings),
      expected: { minutes: oneIn(random, 12) ? `${minutes}` : minutes },
    };
  },

  check_left_panel: random => {
    const name = pick(random, [
      'Slides View',
      'Slides View',
      'Slides View',
      'Slides View',
      'Slide View',
      'Slides view',
    ]);
    const tag = oneIn(random, 6) ? 'panel' : 'document-frame';
    const view = `<${tag} name="${name}" st:visible="true" cp:screencoord="(0, 64)"/>`;
    const other = '<document-frame name="PresentationDoc – Änderung" st:showing="true"/>';
    const content = oneIn(random, 5)
      ? other
      : pick(random, [view, `${other}<panel name="Slides">${view}</panel>`]);
    const tree =
      '<desktop-frame xmlns:st="uri:deskat:state.at-spi.gnome.org" xmlns:cp="uri:deskat:component.at-spi.gnome.org" name="main">' +
      `<application name="soffice">${content}</application></desktop-frame>`;
    if (oneIn(random, 12))
      return { result: pick(random, [null, '', tree.slice(0, -3), tree.replace('</application>', '')]) };
    return { result: tree };
  },
} satisfies CaseMakers;
