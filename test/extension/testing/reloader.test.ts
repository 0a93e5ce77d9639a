import { expect, test } from 'vitest';
import { Reloader } from '../../../extension/testing/reloader.ts';

/** Loads that end when the test ends them. */
function controlled() {
  const ends: (() => void)[] = [];
  let [running, most, begun] = [0, 0, 0];
  const reloader = new Reloader(async () => {
    begun += 1;
    running += 1;
    most = Math.max(most, running);
    await new Promise<void>(resolve => ends.push(resolve));
    running -= 1;
  });
  return { reloader, end: () => ends.shift()?.(), counts: () => ({ begun, most }) };
}

test('changes during a load lead to one more load, never to two at a time', async () => {
  const { reloader, end, counts } = controlled();
  const first = reloader.reload();
  const others = [reloader.reload(), reloader.reload()];
  expect(counts()).toEqual({ begun: 1, most: 1 });
  end();
  await expect.poll(() => counts().begun).toBe(2);
  end();
  await Promise.all([first, ...others]);
  expect(counts()).toEqual({ begun: 2, most: 1 });
});

test('a call after the last load loads again', async () => {
  const { reloader, end, counts } = controlled();
  for (let time = 1; time <= 2; time++) {
    const loaded = reloader.reload();
    end();
    await loaded;
    expect(counts().begun).toBe(time);
  }
});
