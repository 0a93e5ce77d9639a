// The presets of curation: which parts of DART are on. sections/curation.ts explains each part.

import { DEFAULT_CAPS } from '../data/curation/dart.ts';
import type { CurationPreset } from './sections/curation.ts';
import type { Config } from './shape.ts';

type Curation = Config['curation'];
type Switches = Omit<Curation, 'preset' | 'lengthMargin' | 'lengthFloor'>;

const ALL: Switches = {
  successPool: true,
  rolloutNumber: true,
  revisits: true,
  length: true,
  highEntropy: true,
  alignment: true,
};

const SWITCHES: Readonly<Record<CurationPreset, Switches>> = {
  dart: ALL,
  grpo: {
    successPool: false,
    rolloutNumber: false,
    revisits: false,
    length: false,
    highEntropy: false,
    alignment: false,
  },
  'no-success-pool': { ...ALL, successPool: false },
  'no-rollout-number': { ...ALL, rolloutNumber: false },
  'no-revisits': { ...ALL, revisits: false },
  'no-length': { ...ALL, length: false },
  'no-high-entropy': { ...ALL, highEntropy: false },
  'no-alignment': { ...ALL, alignment: false },
};

/** In the order of the printed configuration. */
export function curationOf(preset: CurationPreset): Curation {
  const { highEntropy, alignment, ...orders } = SWITCHES[preset];
  const { margin: lengthMargin, floor: lengthFloor } = DEFAULT_CAPS;
  return { preset, ...orders, lengthMargin, lengthFloor, highEntropy, alignment };
}
