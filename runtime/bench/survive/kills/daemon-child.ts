// A daemon that trains, in a process of its own: starts a run or resumes one, and prints each fact about it as one line. Its standard input
// drains hosts and labels trajectories; at its end the run is stopped.

import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { parseConfig } from '../../../config/config.ts';
import { runId, trajectoryId } from '../../../core/ids.ts';
import { systemClock } from '../../../core/system-clock.ts';
import { TrajectoryStore } from '../../../data/store.ts';
import { WorkspaceRuns } from '../../../server/workspace-runs.ts';

const [root = '', dist = '', config = '', name = '', index = ''] = process.argv.slice(2);
// Synchronous: a line that is printed was true before.
const print = (line: string): void => void writeSync(1, `${line}\n`);
const entry = (file: string): URL => new URL(`${file}.js`, pathToFileURL(`${dist}/`));

const { ingest } = TrajectoryStore.prototype;
TrajectoryStore.prototype.ingest = async function (trajectory) {
  await ingest.call(this, trajectory);
  print(`kept ${trajectory.id}`);
};

const runs = await WorkspaceRuns.open({
  root,
  entries: {
    ...{ host: entry('host'), worker: entry('worker'), trainer: entry('trainer') },
    ...{ engine: entry('engine'), frames: entry('frames') },
    index: index === '' ? entry('index') : new URL(index),
  },
  // Also for a resumed run: agents are not part of its folder.
  agents: async () => (config === 'null' ? {} : parseConfig(JSON.parse(config)).agents),
  clock: systemClock,
  notice: message => print(`notice ${message}`),
});
for (const { run, status, canResume } of await runs.list()) print(`found ${run} ${status} ${canResume}`);
runs.watch(state => print(`state ${JSON.stringify(state)}`));
process.stdin.resume().once('end', async () => {
  await runs.close();
  print('closed');
  process.exit();
});
const run = name === '' ? await runs.start(parseConfig(JSON.parse(config))) : runId(name);
if (name !== '') await runs.resume(run);
print(`${name === '' ? 'began' : 'resumed'} ${run}`);
if (runs.state(run)?.hosts !== undefined) print(`join ${runs.hosts.address(run).address}`);
for await (const line of createInterface({ input: process.stdin })) {
  const [word, id = ''] = line.split(' ');
  const refused = (error: Error) => print(`refused ${error.message}`);
  if (word === 'drain') await runs.hosts.drain(run, id).then(() => print(`drains ${id}`), refused);
  else if (word === 'label')
    await runs.trajectories
      .annotate(trajectoryId(id), { kind: 'label', label: 'after a fault' }, 'benchmark')
      .then(() => print(`labelled ${id}`), refused);
}
