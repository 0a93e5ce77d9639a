// The entry of the process that takes hostile inputs: a crash ends this process, and not the benchmark.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { serveChild } from '../../../rpc/child-server.ts';
import type { OpenBorder } from './border.ts';
import { BORDERS } from './borders.ts';
import type { HostileCalls, HostileChildInfo } from './calls.ts';
import { inputOf, trial } from './trial.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const MB = 2 ** 20;

const opened = new Map<string, Promise<OpenBorder>>();

const borderNamed = (name: string) => {
  const border = BORDERS.find(each => each.name === name);
  if (border !== undefined) return border;
  throw new RangeError(
    `There is no border '${name}'. Use one of ${BORDERS.map(each => each.name).join(', ')}.`,
  );
};

await serveChild<HostileCalls, HostileChildInfo>(async () => ({
  about: { borders: BORDERS.map(({ name, inputs }) => ({ name, inputs })) },
  handlers: {
    trial: async ({ border, from, count }) => {
      const found = borderNamed(border);
      const open = opened.get(border) ?? found.open();
      opened.set(border, open);
      return trial(found, await open, { from, count });
    },
    input: async ({ border, number }) => inputOf(borderNamed(border), number),
    memory: async () => {
      collectGarbage();
      const { heapUsed, external } = process.memoryUsage();
      return (heapUsed + external) / MB;
    },
  },
  end: async () => {
    for (const open of opened.values()) await (await open).close();
  },
}));
