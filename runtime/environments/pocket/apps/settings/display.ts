// Settings: how the screen looks.

import { column } from '../../toolkit/boxes.ts';
import type { Widget } from '../../toolkit/widget.ts';
import type { PocketWorld } from '../../world.ts';
import { choice, share, toggle } from './setting.ts';

export const displayPage = ({ settings }: PocketWorld): Widget =>
  column(
    [
      choice('Theme', { light: 'Light', dark: 'Dark' }, settings.theme, theme => {
        settings.theme = theme;
      }),
      share('Brightness', settings, 'brightness'),
      toggle('Night light', settings, 'nightLight'),
    ],
    { gap: 8 },
  );
