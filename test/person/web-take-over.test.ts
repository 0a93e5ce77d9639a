// A person takes a web desktop over from a host that plays. Its screens cannot be redrawn, and change by themselves.

import { describe } from 'vitest';
import { parseConfig } from '../../runtime/config/config.ts';
import { missingBrowser } from '../environments/web/missing-browser.ts';
import { scriptedActions, takenOver } from './real-desktops.ts';

const CONFIG = parseConfig({
  ...{ demonstrations: 0, preset: 'scratch' },
  environments: { kind: 'web', desktops: 1 },
  evaluation: { desktops: 1 },
});

describe.skipIf(missingBrowser !== undefined)('a web desktop that a person takes over', () => {
  takenOver(() => ({
    ...{ config: CONFIG, task: 'contact-send' },
    solution: instance => scriptedActions(CONFIG, instance),
  }));
});
