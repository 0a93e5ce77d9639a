// Reads the answer of a model agent about an episode. Pure.

import { type LooseObject, objectsIn } from '../../agents/codecs/loose-object.ts';
import type { Suggestion } from '../../data/files/suggestions.ts';

export type PresortAnswer = Pick<Suggestion, 'isSuccess' | 'confidence' | 'reason'>;

/** In characters. */
const MAX_REASON = 500;

/** The last object with a verdict and a confidence, after the thoughts; undefined if there is none. */
export function readAnswer(raw: string): PresortAnswer | undefined {
  const said = raw.slice(raw.lastIndexOf('</think>') + 1);
  return objectsIn(said)
    .flatMap(({ object }) => answerIn(object) ?? [])
    .at(-1);
}

function answerIn(object: LooseObject): PresortAnswer | undefined {
  const verdict = String(object.get('verdict') ?? '').toLowerCase();
  const confidence = confidenceIn(object);
  if ((verdict !== 'success' && verdict !== 'failure') || confidence === undefined) return undefined;
  const reason = object.get('reason');
  return {
    isSuccess: verdict === 'success',
    confidence,
    reason: typeof reason === 'string' ? reason.trim().slice(0, MAX_REASON) : '',
  };
}

/** Models also write a share or "90 %". Less than a guess would contradict the verdict, so it counts as a guess. */
function confidenceIn(object: LooseObject): number | undefined {
  const given = object.get('confidence');
  const value = typeof given === 'string' ? Number(given.replace('%', '')) : given;
  if (typeof value !== 'number' || !(value >= 0 && value <= 100)) return undefined;
  return Math.max(0.5, value <= 1 ? value : value / 100);
}
