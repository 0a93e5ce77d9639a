// Replies of models, and the answers that are read from them.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAnswer } from '../../../runtime/server/presort/answer.ts';

test.each([
  [
    '{"verdict": "success", "confidence": 90, "reason": "The box is checked."}',
    { isSuccess: true, confidence: 0.9, reason: 'The box is checked.' },
  ],
  [
    '<think>{"verdict": "success", "confidence": 99}</think>\n```json\n{"verdict": "failure", "confidence": "75%", "reason": " No. "}\n```',
    { isSuccess: false, confidence: 0.75, reason: 'No.' },
  ],
  ["{'verdict': 'Failure', 'confidence': 0.8}", { isSuccess: false, confidence: 0.8, reason: '' }],
  // The last one counts.
  [
    'At first {"verdict": "failure", "confidence": 60}, but {"verdict": "success", "confidence": 70}',
    { isSuccess: true, confidence: 0.7, reason: '' },
  ],
  // Less than a guess is a guess.
  ['{"verdict": "success", "confidence": 10}', { isSuccess: true, confidence: 0.5, reason: '' }],
])('reads %s', (raw, answer) => {
  expect(readAnswer(raw)).toEqual(answer);
});

test.each([
  '',
  'The agent did it.',
  '{"verdict": "maybe", "confidence": 90}',
  '{"verdict": "success"}',
  '{"verdict": "success", "confidence": 900}',
  '{"verdict": "success", "confidence": "high"}',
  'Thought: done\nAction: finished(content="")',
])('finds no judgement in %s', raw => {
  expect(readAnswer(raw)).toBeUndefined();
});

test('reads any text without an exception, and a written answer as it was meant', () => {
  fc.assert(
    fc.property(fc.string(), fc.boolean(), fc.integer({ min: 50, max: 100 }), (text, isSuccess, percent) => {
      readAnswer(text);
      const verdict = isSuccess ? 'success' : 'failure';
      const written = JSON.stringify({ verdict, confidence: percent, reason: text });
      const before = text.replaceAll(/[{<]/g, '');
      expect(readAnswer(`${before}${written}`)).toEqual({
        ...{ isSuccess, confidence: percent / 100, reason: text.trim().slice(0, 500) },
      });
    }),
  );
});
