// What a server may be used for, with every reason, and what several servers have in common.

import { describe, expect, test } from 'vitest';
import {
  commonCapabilities,
  dialectOf,
  type EndpointCapabilities,
  usesOf,
} from '../../runtime/endpoints/capabilities.ts';

const WHOLE: EndpointCapabilities = {
  ...{ model: 'tars', aliases: [], models: ['tars'], answeredBy: 'tars' },
  server: { kind: 'vllm', version: '0.19.0', lora: 'present', pause: 'present' },
  ...{ limitField: 'max_tokens', keepsLimit: true, sampling: true, extras: true, allTokens: -1 },
  ...{ images: true, topCount: 20, tokenIds: true, promptIds: true, versionIn: 'nowhere', defects: [] },
};
const { topCount: _, ...WITHOUT_LOG_PROBABILITIES } = WHOLE;
const SEES = { images: true };

describe('the uses of an agent', () => {
  test('are all of them behind a server that reports everything', () => {
    for (const { allowed, reasons } of Object.values(usesOf(WHOLE, SEES)))
      expect({ allowed, reasons }).toEqual({ allowed: true, reasons: [] });
  });

  test('exclude all of them if the agent sends images and the server rejects them', () => {
    const uses = usesOf({ ...WHOLE, images: false }, SEES);
    for (const { allowed, reasons } of Object.values(uses)) {
      expect(allowed).toBe(false);
      expect(reasons).toEqual([expect.stringMatching(/rejects images.*mode 'a11y_tree'/)]);
    }
    expect(usesOf({ ...WHOLE, images: false }, { images: false }).evaluation.allowed).toBe(true);
  });

  test.each<readonly [string, EndpointCapabilities, RegExp]>([
    ['log-probabilities', WITHOUT_LOG_PROBABILITIES, /no log-probabilities/],
    ['ids of tokens', { ...WHOLE, tokenIds: false }, /token ids of replies\./],
    ['ids of prompts', { ...WHOLE, promptIds: false }, /token ids of prompts\./],
    ['any ids', { ...WHOLE, tokenIds: false, promptIds: false }, /token ids of prompts and replies\./],
    ['sampling fields', { ...WHOLE, sampling: false }, /rejects sampling fields/],
    ['a limit of tokens', { ...WHOLE, keepsLimit: false }, /ignores the limit of tokens/],
    ['right reports', { ...WHOLE, defects: ['text-after-stop'] }, /wrong: text-after-stop/],
    ['a way to load weights', without('absent'), /cannot load new weights/],
    ['a pause of a known program', withPauseOf('unknown'), /cannot load new weights/],
    ['a list of routes', without('unknown'), /does not show whether it can load new weights/],
  ])('without %s exclude training alone', (_name, capabilities, reason) => {
    const { training, ...others } = usesOf(capabilities, SEES);
    expect(training).toEqual({ allowed: false, reasons: [expect.stringMatching(reason)] });
    for (const { allowed } of Object.values(others)) expect(allowed).toBe(true);
  });

  test('include training if a command restarts each server with new weights', () => {
    expect(usesOf(without('absent'), { ...SEES, restarts: true }).training.allowed).toBe(true);
  });

  test('have every reason at once', () => {
    const { training } = usesOf({ ...WITHOUT_LOG_PROBABILITIES, tokenIds: false, images: false }, SEES);
    expect(training.reasons).toHaveLength(3);
  });
});

function without(ability: 'absent' | 'unknown'): EndpointCapabilities {
  return { ...WHOLE, server: { ...WHOLE.server, lora: ability, pause: ability } };
}

/** The pause is its only way to load weights. */
function withPauseOf(kind: EndpointCapabilities['server']['kind']): EndpointCapabilities {
  return { ...WHOLE, server: { ...WHOLE.server, kind, lora: 'absent' } };
}

test('one way to load weights is enough', () => {
  expect(usesOf(withPauseOf('vllm'), SEES).training.allowed).toBe(true);
});

test('several servers have in common what each of them has', () => {
  const weaker: EndpointCapabilities = {
    ...{ ...WHOLE, topCount: 5, tokenIds: false, images: false, defects: ['wrong-model'] },
    server: { ...WHOLE.server, lora: 'unknown' },
  };
  for (const both of [
    [WHOLE, weaker],
    [weaker, WHOLE],
  ])
    expect(commonCapabilities(both)).toMatchObject({
      ...{ topCount: 5, tokenIds: false, promptIds: true, images: false, defects: ['wrong-model'] },
      server: { lora: 'unknown', pause: 'present' },
    });
  expect(commonCapabilities([WHOLE, WITHOUT_LOG_PROBABILITIES])).not.toHaveProperty('topCount');
  expect(commonCapabilities([WHOLE])).toBe(WHOLE);
  expect(() => commonCapabilities([])).toThrow(RangeError);
});

test('the dialect of a server without log-probabilities does not ask for them', () => {
  expect(dialectOf(WHOLE)).toEqual({
    ...{ limitField: 'max_tokens', sampling: true, extras: true, allTokens: -1, topCount: 20 },
  });
  expect(dialectOf(WITHOUT_LOG_PROBABILITIES)).not.toHaveProperty('topCount');
});
