// A process that ingests and labels until the test kills it. It prints what was acknowledged.

import { writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { trajectoryId } from '../../runtime/core/ids.ts';
import type { Trajectory } from '../../runtime/core/trajectory.ts';
import { NoSuchTrajectory, TrajectoryStore } from '../../runtime/data/store.ts';

const [root = '', indexEntry = '', name = '', text = ''] = process.argv.slice(2);
// Synchronous, so that every printed line was acknowledged before.
const say = (line: string): void => void writeSync(1, `${line}\n`);

const template: Trajectory = JSON.parse(text);
let next = 0;
const store = await TrajectoryStore.open({
  root,
  indexEntry: pathToFileURL(indexEntry),
  // What is deleted has ended.
  clock: { now: () => template.endedAt + next, sleep: () => Promise.resolve() },
  budget: { count: 60, bytes: 1e9 },
  notice: () => undefined,
});
say('open');
await Promise.all(
  Array.from({ length: 8 }, async () => {
    for (;;) {
      next += 1;
      const number = next;
      const id = trajectoryId(`${name}-${number}`);
      await store.ingest({ ...template, id, endedAt: template.endedAt + number });
      say(`ingested ${id}`);
      if (number % 6 !== 0) continue;
      try {
        await store.label(id, { kind: 'label', label: 'kept' }, 'child');
      } catch (error) {
        // It may have given way already.
        if (error instanceof NoSuchTrajectory) continue;
        throw error;
      }
      say(`labelled ${id}`);
    }
  }),
);
