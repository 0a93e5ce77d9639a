import { expect, test } from 'vitest';
import { soundFile } from '../../../../runtime/bench/osworld/cases/sound-tags.ts';
import { seeded } from '../../../../runtime/core/rng.ts';
import { MetricError } from '../../../../runtime/tasks/metrics/metric.ts';
import { SOUND_METRICS } from '../../../../runtime/tasks/metrics/sound/sound.ts';

const { check_mp3_meta: metric } = SOUND_METRICS;
const tagged = {
  TIT2: ['Missing You'],
  TPE1: ['Cheng', 'Xiang'],
  TCON: ['(17)Pop'],
  TDRC: ['2021-03-04T10:20'],
};
// This seed writes a tag of version 2.4 at the start.
const seed = Array.from({ length: 50 }, (_, index) => index).find(
  index => soundFile(tagged, seeded(index))[3] === 4,
);
const song = { name: 'song.mp3', bytes: soundFile(tagged, seeded(seed ?? 0)) };

test.each([
  [{ title: { method: 'eq', ref: 'Missing You' } }, 1],
  [{ artist: { method: 'eq', ref: 'Cheng,Xiang' } }, 1],
  [{ title: { method: 'eq', ref: 'Missing You' }, artist: { method: 'eq', ref: 'Cheng' } }, 0],
  [{ genre: { method: 'eq', ref: 'Rock,Pop' } }, 1],
  [{ date: { method: 'eq', ref: '2021-03-04 10:20' } }, 1],
  [{ album: { method: 'eq', ref: '' } }, 1],
])('the rules %j score %d', async (rules, score) => {
  expect(await metric(song, rules)).toBe(score);
});

test('a file without tags scores 0, and a rule without a method is an error of the task', async () => {
  expect(await metric({ name: 'a.mp3', bytes: new Uint8Array(500) }, {})).toBe(0);
  expect(await metric(null, {})).toBe(0);
  expect(() => metric(song, { title: 'Missing You' })).toThrow(MetricError);
});
