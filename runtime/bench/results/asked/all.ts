// All that is asked, in the order of the page.

import type { AskedBench } from './asked.ts';
import { ablation, curation } from './curation.ts';
import { docker, dockerLearn } from './docker.ts';
import { hour, learn } from './learning.ts';
import { data, endurance, engine, panels, pocket } from './parts.ts';
import { decoupling, decouplingReal, scale } from './ring.ts';

export const ASKED: readonly AskedBench[] = [
  ...[
    learn,
    curation,
    ablation,
    decoupling,
    decouplingReal,
    scale,
    hour,
    data,
    panels,
    docker,
    dockerLearn,
    engine,
    pocket,
    endurance,
  ],
];
