// Settings: what is heard, and what speaks up.

import { column, growing } from '../../toolkit/boxes.ts';
import { rule } from '../../toolkit/controls.ts';
import { dropdown } from '../../toolkit/values.ts';
import type { Widget } from '../../toolkit/widget.ts';
import { ALERT_SOUNDS, type PocketWorld } from '../../world.ts';
import { share, titled, toggle } from './setting.ts';

export const soundPage = ({ settings }: PocketWorld): Widget =>
  column(
    [
      share('Volume', settings, 'volume'),
      toggle('Mute', settings, 'muted'),
      rule(),
      titled(
        'Alert sound',
        growing(
          dropdown('Alert sound', settings.alertSound, ALERT_SOUNDS, chosen => {
            settings.alertSound = ALERT_SOUNDS.find(each => each === chosen) ?? settings.alertSound;
          }),
        ),
      ),
      toggle('Show notifications', settings, 'notifications'),
    ],
    { gap: 7 },
  );
