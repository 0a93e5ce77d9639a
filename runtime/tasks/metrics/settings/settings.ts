// The metrics of settings of VS Code, VLC, GIMP, Thunderbird and LibreOffice, by name.

import type { Metrics } from '../metric.ts';

export const SETTING_METRICS = {} satisfies Metrics;
