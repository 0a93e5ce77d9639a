// The metrics of tabs, addresses, bookmarks and pages of a browser, by name.

import type { Metrics } from '../metric.ts';

export const BROWSER_METRICS = {} satisfies Metrics;
