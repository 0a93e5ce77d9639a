// The presets of curation: which parts of DART are on. sections/curation.ts explains each part.

import { DEFAULT_CAPS } from '../data/curation/dart.ts';
import type { CurationPreset } from './sections/curation.ts';
import type { Config } from './shape.ts';

/** In the order of the printed configuration. */
export function curationOf(preset: CurationPreset, patience: number): Config['curation'] {
  const isOn = (without: CurationPreset): boolean => preset !== 'grpo' && preset !== without;
  const { margin: lengthMargin, floor: lengthFloor } = DEFAULT_CAPS;
  return {
    preset,
    successPool: isOn('no-success-pool'),
    rolloutNumber: isOn('no-rollout-number'),
    revisits: isOn('no-revisits'),
    patience: isOn('no-revisits') ? patience : 0,
    length: isOn('no-length'),
    ...{ lengthMargin, lengthFloor },
    coolDown: false,
    stages: 1,
    highEntropy: isOn('no-high-entropy'),
    alignment: isOn('no-alignment'),
  };
}
