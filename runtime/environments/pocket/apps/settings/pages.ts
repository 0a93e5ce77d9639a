// The pages of Settings without state of their own: Display, Sound, Network and About, and the controls they consist of.

import { right } from '../../../box.ts';
import { textWidth } from '../../font.ts';
import type { ShellServices } from '../../shell/app.ts';
import { column, growing, row, sized } from '../../toolkit/boxes.ts';
import { label, panel, rule, textTop } from '../../toolkit/controls.ts';
import { listRow, rows } from '../../toolkit/rows.ts';
import { checkbox, radio } from '../../toolkit/toggles.ts';
import { dropdown, slider } from '../../toolkit/values.ts';
import { extendWidget, type Widget } from '../../toolkit/widget.ts';
import { ALERT_SOUNDS, type PocketSettings, type PocketWorld } from '../../world.ts';
import { labelled, labelledField } from '../dialogs.ts';

export const LABEL_WIDTH = 66;
const PERCENT_WIDTH = 30;
const NETWORKS = ['Orchard', 'Harbour', 'Library', 'Guest'];
const VERSION = '1.0';

export const displayPage = ({ settings }: PocketWorld): Widget =>
  column(
    [
      settingRadio('Theme', settings, 'theme', { light: 'Light', dark: 'Dark' }),
      settingSlider('Brightness', settings, 'brightness'),
      settingCheckbox('Night light', settings, 'nightLight'),
    ],
    { gap: 8 },
  );

export const soundPage = ({ settings }: PocketWorld): Widget =>
  column(
    [
      settingSlider('Volume', settings, 'volume'),
      settingCheckbox('Mute', settings, 'muted'),
      rule(),
      settingDropdown('Alert sound', settings, 'alertSound', ALERT_SOUNDS),
      settingCheckbox('Show notifications', settings, 'notifications'),
    ],
    { gap: 7 },
  );

export const networkPage = ({ settings }: PocketWorld, shell: ShellServices): Widget =>
  column(
    [
      row([settingCheckbox('Wi-Fi', settings, 'wifi'), settingCheckbox('Bluetooth', settings, 'bluetooth')], {
        gap: 14,
      }),
      label(settings.wifi ? 'Networks in reach' : 'Wi-Fi is off', { faint: true }),
      panel(rows(NETWORKS.map(name => networkRow(name, settings, shell))), { field: true }),
    ],
    { gap: 5 },
  );

export const aboutPage = ({ settings, now }: PocketWorld): Widget =>
  column(
    [
      label('Pocket desktop', { bold: true }),
      rule(),
      fact('Device name', settings.deviceName),
      fact('Version', VERSION),
      fact('Network', settings.wifi ? settings.network : 'not connected'),
      fact('Language', settings.language),
      fact('Date', now.slice(0, 10)),
    ],
    { gap: 5 },
  );

/** The names of the settings whose values have a given type. */
type SettingsOf<Value> = {
  [Name in keyof PocketSettings]: PocketSettings[Name] extends Value ? Name : never;
}[keyof PocketSettings];

const settingCheckbox = (name: string, settings: PocketSettings, field: SettingsOf<boolean>): Widget =>
  checkbox(name, settings[field], {
    change: () => {
      settings[field] = !settings[field];
    },
  });

/** A slider in steps of ten with its value in percent. */
function settingSlider(name: string, settings: PocketSettings, field: SettingsOf<number>): Widget {
  const value = settings[field];
  const control = slider(name, value, {
    from: 0,
    to: 100,
    step: 10,
    change: wanted => {
      settings[field] = wanted;
    },
  });
  return labelled(name, LABEL_WIDTH, growing(control), sized(percent(value), { width: PERCENT_WIDTH }));
}

/** Has no accessibility element: the slider has the value already. */
const percent = (value: number): Widget => ({
  paintKey: `number ${value} %`,
  measure: () => ({ width: textWidth(`${value} %`), height: 10 }),
  paint: ({ surface, box: area, theme }) =>
    surface.text(`${value} %`, right(area) - textWidth(`${value} %`), area.y + 2, theme.faint),
});

/** Radio buttons for two or three values. */
export function settingRadio<Field extends 'theme' | 'timeFormat'>(
  title: string,
  settings: PocketSettings,
  field: Field,
  names: Readonly<Record<PocketSettings[Field], string>>,
): Widget {
  const values = Object.keys(names) as PocketSettings[Field][];
  const buttons = values.map(value =>
    radio(names[value], value === settings[field], {
      change: () => {
        settings[field] = value;
      },
    }),
  );
  return labelled(title, LABEL_WIDTH, row(buttons, { gap: 10 }));
}

export function settingDropdown<Field extends 'alertSound' | 'language'>(
  title: string,
  settings: PocketSettings,
  field: Field,
  choices: readonly PocketSettings[Field][],
): Widget {
  const control = dropdown(title, settings[field], choices, chosen => {
    settings[field] = choices.find(each => each === chosen) ?? settings[field];
  });
  return labelledField(title, LABEL_WIDTH, control);
}

/** A value that cannot be changed: one element with name and value. */
function fact(name: string, value: string): Widget {
  const { describe: _, ...title } = label(name, { faint: true });
  const text = label(value);
  return row([
    sized(title, { width: LABEL_WIDTH }),
    { ...text, describe: { role: 'label', name: `${name}: ${value}` } },
  ]);
}

function networkRow(name: string, settings: PocketSettings, shell: ShellServices): Widget {
  const connected = settings.wifi && settings.network === name;
  const plain = listRow(name, {
    chosen: connected,
    press: () => {
      if (!settings.wifi || connected) return;
      settings.network = name;
      shell.toast(`Connected to ${name}`);
    },
  });
  const status = 'Connected';
  return extendWidget(plain, {
    paintKey: `${plain.paintKey} ${settings.wifi}`,
    describe: {
      role: 'listitem',
      name,
      value: connected ? status : '',
      states: connected ? ['selected'] : settings.wifi ? [] : ['disabled'],
    },
    paint: context => {
      const { surface, box: area, theme } = context;
      plain.paint?.(context);
      const top = textTop(area.y, area.height);
      if (connected) surface.text(status, right(area) - textWidth(status) - 4, top, theme.selectionText);
      // Without Wi-Fi the names are grey.
      if (!settings.wifi) surface.text(name, area.x + 3, top, theme.faint);
    },
  });
}
