// Settings: what this device is. Nothing to change.

import { column } from '../../toolkit/boxes.ts';
import { label, rule } from '../../toolkit/controls.ts';
import type { Widget } from '../../toolkit/widget.ts';
import type { PocketWorld } from '../../world.ts';
import { fact } from './setting.ts';

const VERSION = '1.0';

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
