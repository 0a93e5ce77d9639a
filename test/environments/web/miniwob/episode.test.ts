import { describe, expect, test } from 'vitest';
import {
  readEpisode,
  startEpisode,
  startsInPlace,
} from '../../../../runtime/environments/web/miniwob/episode.ts';

const START = { page: 'click-test', seed: 5, mode: 'train' } as const;
const answering = (value: unknown) => async () => value;

describe('the start of an episode', () => {
  test('returns the instruction of the page', async () => {
    const started = await startEpisode(answering({ utterance: 'Click the button.' }), START);
    expect(started).toBe('Click the button.');
  });

  test('passes the seed and the mode to the page', async () => {
    const expressions: string[] = [];
    const evaluate = async (expression: string) => {
      expressions.push(expression);
      return { utterance: 'Click.' };
    };
    await startEpisode(evaluate, { page: 'click-test', seed: 1234, mode: 'test' });
    expect(expressions).toHaveLength(1);
    expect(expressions[0]).toContain('Math.seedrandom(1234)');
    expect(expressions[0]).toContain('core.setDataMode?.("test")');
  });

  test.each([
    [{ problem: 'it was not ready after its start' }, /it was not ready/],
    [{ utterance: '' }, /no instruction/],
    [{ utterance: 'x'.repeat(3000) }, /no instruction/],
    [undefined, /no instruction/],
  ])('rejects %j as a failure of the task', async (value, message) => {
    const failed = startEpisode(answering(value), START);
    await expect(failed).rejects.toThrow(message);
    await expect(failed).rejects.toMatchObject({
      failure: { boundary: 'task', thing: 'miniwob-click-test' },
    });
  });
});

describe('the state of an episode', () => {
  test('has no score before the page ends it', async () => {
    const state = { isOver: false, reward: 1 };
    expect(await readEpisode(answering(state), 'click-test')).toMatchObject({ isOver: false, score: 0 });
  });

  test.each([
    [1, 1],
    [-1, 0],
    [0.5, 0.5],
  ])('a reward of %d scores %d', async (reward, score) => {
    const state = { isOver: true, reward };
    expect(await readEpisode(answering(state), 'click-checkboxes')).toEqual({ isOver: true, score });
  });

  test.each([[{ isOver: true, reward: 'high' }], [{ reward: 1 }], [null]])(
    'a page that returns %j fails the task',
    async value => {
      await expect(readEpisode(answering(value), 'click-test')).rejects.toThrow(/not a number/);
    },
  );
});

test('pages whose animations survive an episode are loaded again', () => {
  expect(startsInPlace('click-test')).toBe(true);
  expect(startsInPlace('drag-cube')).toBe(false);
});
