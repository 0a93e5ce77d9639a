import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Line } from '../../runtime/fabric/line.ts';

test('serve resolves the first waiter, and returns false without waiters', async () => {
  const line = new Line<string>();
  expect(line.serve('nobody')).toBe(false);
  const waiting = [line.wait(), line.wait(undefined)];
  expect([line.serve('a'), line.serve('b'), line.serve('c')]).toEqual([true, true, false]);
  expect(await Promise.all(waiting)).toEqual(['a', 'b']);
});

test('whichever signal is aborted first takes its waiter out of the line, with its reason', async () => {
  const line = new Line<string>();
  const [own, others] = [new AbortController(), new AbortController()];
  const first = line.wait(own.signal, others.signal);
  const second = line.wait(undefined, new AbortController().signal);
  others.abort('enough');
  own.abort('too late');
  await expect(first).rejects.toBe('enough');
  expect(line.serve('a')).toBe(true);
  expect(await second).toBe('a');
});

test('an aborted signal does not enter the line', async () => {
  const line = new Line<string>();
  await expect(line.wait(new AbortController().signal, AbortSignal.abort('over'))).rejects.toBe('over');
  expect(line.serve('a')).toBe(false);
});

test('refuse rejects all waiters and empties the line', async () => {
  const line = new Line<string>();
  const waiting = [line.wait(), line.wait()];
  line.refuse('closed');
  for (const each of await Promise.allSettled(waiting)) expect(each).toMatchObject({ reason: 'closed' });
  expect(line.serve('a')).toBe(false);
});

test('no listener stays on a signal, however the wait ended', async () => {
  const stop = new AbortController();
  let listening = 0;
  const { signal } = stop;
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = (...given: Parameters<typeof add>) => {
    listening += 1;
    add(...given);
  };
  signal.removeEventListener = (...given: Parameters<typeof remove>) => {
    listening -= 1;
    remove(...given);
  };
  const line = new Line<string>();
  const own = new AbortController();
  const ended = Promise.allSettled([line.wait(signal), line.wait(signal, own.signal), line.wait(signal)]);
  expect(listening).toBe(3);
  line.serve('a');
  own.abort();
  line.refuse('closed');
  await ended;
  expect(listening).toBe(0);
});

test('ignoreResult happens, each that is handed out reaches exactly one, in the order of coming', async () => {
  const acts = fc.array(
    fc.oneof(fc.constant('wait' as const), fc.constant('serve' as const), fc.nat({ max: 20 })),
  );
  await fc.assert(
    fc.asyncProperty(acts, async list => {
      const line = new Line<number>();
      const stops: AbortController[] = [];
      const waits: Promise<number | 'left'>[] = [];
      let queue: number[] = [];
      const wanted = new Map<number, number | 'left'>();
      let served = 0;
      for (const act of list) {
        if (act === 'wait') {
          const stop = new AbortController();
          queue.push(stops.push(stop) - 1);
          waits.push(line.wait(stop.signal).catch(() => 'left' as const));
        } else if (act === 'serve') {
          const first = queue.shift();
          expect(line.serve(served)).toBe(first !== undefined);
          if (first !== undefined) wanted.set(first, served++);
        } else {
          stops[act]?.abort();
          if (queue.includes(act)) wanted.set(act, 'left');
          queue = queue.filter(each => each !== act);
        }
      }
      line.refuse('closed');
      for (const each of queue) wanted.set(each, 'left');
      expect(await Promise.all(waits)).toEqual(waits.map((_, index) => wanted.get(index)));
    }),
  );
});
