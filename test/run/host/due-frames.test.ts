import { expect, test } from 'vitest';
import { desktopId } from '../../../runtime/core/ids.ts';
import { dueFrames, type FrameRequest, MAX_SMALL_FRAMES } from '../../../runtime/run/host/display.ts';

const wanted = (number: number, more: Partial<FrameRequest> = {}): FrameRequest => ({
  ...{ id: desktopId(`d${number}`), size: 'small', use: 'playing', isNew: true, sentAt: 100 + number },
  ...more,
});

test('unchanged pictures are not sent again', () => {
  expect(dueFrames([wanted(0, { isNew: false }), wanted(1, { isNew: false, size: 'whole' })])).toEqual([]);
});

test('each of many desktops has its turn, within the limit per round', () => {
  const many = 100;
  const sentAt = new Map<string, number>();
  const turns = new Map<string, number>();
  for (let round = 1; round <= 200; round++) {
    const all = Array.from({ length: many }, (_, index) =>
      wanted(index, { sentAt: sentAt.get(`d${index}`) }),
    );
    const chosen = dueFrames(all);
    expect(chosen).toHaveLength(MAX_SMALL_FRAMES);
    for (const { id } of chosen) {
      sentAt.set(id, round);
      turns.set(id, (turns.get(id) ?? 0) + 1);
    }
  }
  const fair = (200 * MAX_SMALL_FRAMES) / many;
  expect(Math.min(...turns.values())).toBeGreaterThanOrEqual(fair - 1);
  expect(Math.max(...turns.values())).toBeLessThanOrEqual(fair + 1);
});

test('whole pictures precede small ones and never wait', () => {
  const all = [...Array.from({ length: 30 }, (_, index) => wanted(index)), wanted(31, { size: 'whole' })];
  expect(dueFrames(all)[0]).toMatchObject({ id: 'd31', size: 'whole' });
});
