// The protocol of the micro benchmark: what is cloned, for how long, and which tasks count.

import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { MICRO } from '../../agents/micro/network.ts';
import { decodeMicro, encodeMicro } from '../../agents/micro/weights-file.ts';
import { cloneDemonstrations } from '../../cloning/cloning.ts';
import { endlessDemonstrations } from '../../cloning/demonstrations.ts';
import { seeded } from '../../core/rng.ts';
import { systemClock } from '../../core/system-clock.ts';
import { type Engine, startEngine } from '../../engine/engine.ts';
import { POCKET } from '../../environments/pocket/tasks/suite.ts';

/** Tasks of tier 1 whose scripted solutions only click. */
export const CLICK_TASKS: readonly string[] = [
  ...['night-light', 'mute', 'bluetooth', 'notifications', 'theme'].map(name => `settings-${name}`),
  'mail-star',
];

export const PROTOCOL = {
  /** Engine processes: one for each core of the protocol. */
  replicas: 2,
  modes: { a11y_tree: 1, screenshot: 1 },
  /** Click tasks are practised more often than the others of tier 1. */
  clickWeight: 1.5,
  /** Grounding examples for each screen of a solution. */
  grounding: 1.5,
} as const;

export interface Cloned {
  readonly steps: number;
  readonly examples: number;
  readonly replyTokens: number;
  readonly loss: number;
  /** The learning curve: −log p of a reply token. */
  readonly curve: readonly { readonly minutes: number; readonly loss: number }[];
  readonly file: Uint8Array<ArrayBuffer>;
}

const CURVE_POINTS = 60;

export async function cloneTier1(
  seed: number,
  minutes: number,
  engineEntry: URL,
  say: (text: string) => void,
  /** Clones on from the weights in this file. */
  from?: string,
): Promise<Cloned> {
  const random = seeded(`micro/${seed}`);
  const { replicas, modes, grounding, clickWeight } = PROTOCOL;
  const templates = POCKET.templates.filter(({ tier, unseen }) => tier === 1 && unseen !== true);
  const engines: Engine[] = [];
  const curve: { readonly minutes: number; readonly loss: number }[] = [];
  let totals = { steps: 0, examples: 0, replyTokens: 0, loss: Number.NaN };
  try {
    for (let count = 0; count < replicas; count++) engines.push(await startEngine({ entry: engineEntry }));
    const weights = await cloneDemonstrations({
      ...{ shape: MICRO, engines, minutes, clock: systemClock, random: random.fork('cloning') },
      ...(from !== undefined && { weights: decodeMicro(await readFile(from), basename(from)).weights }),
      examplesOf: replica =>
        endlessDemonstrations({
          ...{ templates, modes, grounding, random: random.fork(`demonstrations ${replica}`) },
          weightOf: ({ id }) => (CLICK_TASKS.includes(id) ? clickWeight : 1),
        }),
      progress: ({ minutes: now, steps, examples, tokens, loss }) => {
        totals = { steps, examples, replyTokens: tokens, loss };
        if (now < ((curve.length + 1) * minutes) / CURVE_POINTS) return;
        curve.push({ minutes: now, loss });
        say(`    ${now.toFixed(1)} min  ${examples} examples  ${loss.toFixed(4)} nats per reply token`);
      },
    });
    return { ...totals, curve, file: encodeMicro({ shape: MICRO, version: totals.steps, weights }) };
  } finally {
    await Promise.all(engines.map(engine => engine.close()));
  }
}
