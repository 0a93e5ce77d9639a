// Cloning in the micro benchmark: its seeds, and its learning curve.

import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { decodeMicro } from '../../agents/micro/weights-file.ts';
import { type CloningLength, sharePast } from '../../cloning/cloning.ts';
import { cloneTier1 } from '../../cloning/tier-1.ts';
import { seeded } from '../../core/rng.ts';
import { systemClock } from '../../core/system-clock.ts';
import type { Report } from '../report.ts';
import { entry } from '../training.ts';

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

/** Weights that were cloned with a seed must not see the same examples again. */
const randomOf = (seed: number, from: string | undefined): string =>
  from === undefined ? `micro/${seed}` : `micro/${seed}/further`;

/** Its name is a part's result: a run that is interrupted must not go on with the weights of another one. */
export function newWeightsFile({ unfinishedFolder }: Pick<Report, 'unfinishedFolder'>, name: string): string {
  mkdirSync(unfinishedFolder, { recursive: true });
  return join(unfinishedFolder, `micro-${name}-${randomUUID()}.safetensors`);
}

export async function clonedModel(
  seed: number,
  length: CloningLength,
  say: (text: string) => void,
  /** Clones on from the weights in this file. */
  from?: string,
): Promise<Cloned> {
  const curve: { readonly minutes: number; readonly loss: number }[] = [];
  const { totals, file } = await cloneTier1({
    ...{ length, clock: systemClock, random: seeded(randomOf(seed, from)), engineEntry: entry('engine') },
    ...(from !== undefined && { weights: decodeMicro(await readFile(from), basename(from)).weights }),
    progress: ({ minutes: now, examples, loss }) => {
      if (sharePast(length, { minutes: now, examples }) < (curve.length + 1) / CURVE_POINTS) return;
      curve.push({ minutes: now, loss });
      say(`    ${now.toFixed(1)} min  ${examples} examples  ${loss.toFixed(4)} nats per reply token`);
    },
  });
  const { steps, examples, tokens, loss } = totals;
  return { steps, examples, replyTokens: tokens, loss, curve, file };
}
