import { expect, test } from 'vitest';
import { PromptError, promptChunks } from '../../runtime/learner/prompt-chunks.ts';

const [A, B] = ['a'.repeat(64), 'b'.repeat(64)];
const PAD = 99;

test('each run of the image token is one image, and the text around it stays as it is', () => {
  expect(promptChunks([1, 2, PAD, PAD, PAD, 3, PAD, 4], [A, B], [PAD])).toEqual([
    { kind: 'text', tokens: [1, 2] },
    { kind: 'image', sha256: A, tokens: 3 },
    { kind: 'text', tokens: [3] },
    { kind: 'image', sha256: B, tokens: 1 },
    { kind: 'text', tokens: [4] },
  ]);
  expect(promptChunks([PAD, PAD, 5], [A], [PAD])).toEqual([
    { kind: 'image', sha256: A, tokens: 2 },
    { kind: 'text', tokens: [5] },
  ]);
});

test('a prompt without images is one piece of text', () => {
  expect(promptChunks([1, PAD, 2], [], [])).toEqual([{ kind: 'text', tokens: [1, PAD, 2] }]);
});

test('of several image tokens the one that fits is taken', () => {
  expect(promptChunks([PAD, 7, 7, 8], [A], [PAD, 7])).toEqual([
    { kind: 'text', tokens: [PAD] },
    { kind: 'image', sha256: A, tokens: 2 },
    { kind: 'text', tokens: [8] },
  ]);
  expect(promptChunks([7, PAD, 7], [A], [7, PAD])).toEqual([
    { kind: 'text', tokens: [7] },
    { kind: 'image', sha256: A, tokens: 1 },
    { kind: 'text', tokens: [7] },
  ]);
});

test.each([
  [[1, PAD, 2], [A, B], [PAD], '1 runs of the token 99, but its messages have 2 images'],
  [[1, PAD, 2, PAD], [A], [PAD, 5], '2 runs of the token 99 and 0 runs of the token 5, but'],
  [[1, 2], [A], [], 'no known image token, but its messages have 1 images'],
])('%o with images %o is refused', (prompt, images, fillers, message) => {
  expect(() => promptChunks(prompt, images, fillers)).toThrow(PromptError);
  expect(() => promptChunks(prompt, images, fillers)).toThrow(message);
});
