// Settings: Wi-Fi, the networks in reach, and Bluetooth.

import { right } from '../../../box.ts';
import { CAP_HEIGHT, textWidth } from '../../font.ts';
import type { ShellServices } from '../../shell/app.ts';
import { column, row } from '../../toolkit/boxes.ts';
import { label, panel } from '../../toolkit/controls.ts';
import { listRow, rows } from '../../toolkit/rows.ts';
import { extendWidget, type Widget } from '../../toolkit/widget.ts';
import type { PocketWorld, Settings } from '../../world.ts';
import { toggle } from './setting.ts';

const NETWORKS = ['Orchard', 'Harbour', 'Library', 'Guest'];

export const networkPage = ({ settings }: PocketWorld, shell: ShellServices): Widget =>
  column(
    [
      row([toggle('Wi-Fi', settings, 'wifi'), toggle('Bluetooth', settings, 'bluetooth')], { gap: 14 }),
      label(settings.wifi ? 'Networks in reach' : 'Wi-Fi is off', { faint: true }),
      panel(rows(NETWORKS.map(name => networkRow(name, settings, shell))), { field: true }),
    ],
    { gap: 5 },
  );

function networkRow(name: string, settings: Settings, shell: ShellServices): Widget {
  const connected = settings.wifi && settings.network === name;
  const plain = listRow(name, {
    chosen: connected,
    press: () => {
      if (!settings.wifi || connected) return;
      settings.network = name;
      shell.toast(`Connected to ${name}`);
    },
  });
  const word = 'Connected';
  return extendWidget(plain, {
    paintKey: `${plain.paintKey} ${settings.wifi}`,
    describe: {
      role: 'listitem',
      name,
      value: connected ? word : '',
      states: connected ? ['selected'] : settings.wifi ? [] : ['disabled'],
    },
    paint: look => {
      const { surface, box: area, theme } = look;
      plain.paint?.(look);
      const top = area.y + Math.floor((area.height - CAP_HEIGHT) / 2);
      if (connected) surface.text(word, right(area) - textWidth(word) - 4, top, theme.selectionText);
      // Without Wi-Fi the names are there, but grey.
      if (!settings.wifi) surface.text(name, area.x + 3, top, theme.faint);
    },
  });
}
