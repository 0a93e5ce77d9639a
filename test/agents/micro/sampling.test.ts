import { expect, test } from 'vitest';
import { TokenDistribution } from '../../../runtime/agents/micro/sampling.ts';
import { tensor } from '../../../runtime/graph/tensor.ts';

const distribution = (probabilities: readonly number[]) =>
  TokenDistribution.of(
    {
      written: tensor('float32', [1, 1, probabilities.length], Float32Array.from(probabilities)),
      copied: tensor('float32', [1, 1, 1], new Float32Array(1)),
      pointed: tensor('float32', [1, 1, 1], new Float32Array(1)),
    },
    [],
  );

test.each([1e-5, 1e-3, 0.01])('temperature %s draws the likeliest token', temperature => {
  const tokens = distribution([0.2, 0.3, 0.5]);
  for (const uniform of [1e-9, 0.5, 0.999999])
    expect(tokens.sample(temperature, () => uniform, 0).id).toBe(2);
});

test('temperature 0.5 draws by the squares of the probabilities', () => {
  const tokens = distribution([0.1, 0.3, 0.6]);
  // 0.01, 0.09 and 0.36 of 0.46.
  const drawn = (uniform: number) => tokens.sample(0.5, () => uniform, 0).id;
  expect([0.02, 0.03, 0.21, 0.22].map(drawn)).toEqual([0, 1, 1, 2]);
});
