// A daemon for tests, in a process of its own: it begins a run or goes on with one, says what it knows of it, one line each on its
// standard output, drains the hosts that its standard input names, and stops the run when that ends.

import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { parseConfig } from '../../runtime/config/config.ts';
import { runId } from '../../runtime/core/ids.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { TrajectoryStore } from '../../runtime/data/store.ts';
import { WorkspaceRuns } from '../../runtime/server/workspace-runs.ts';

const [root = '', dist = '', config = '', name = '', index = ''] = process.argv.slice(2);
// At once, and not when the event loop comes to it: what was said must have been true before.
const say = (line: string): void => void writeSync(1, `${line}\n`);
const entry = (file: string): URL => new URL(`${file}.js`, pathToFileURL(`${dist}/`));

const { ingest } = TrajectoryStore.prototype;
TrajectoryStore.prototype.ingest = async function (trajectory) {
  await ingest.call(this, trajectory);
  say(`kept ${trajectory.id}`);
};

const runs = await WorkspaceRuns.open({
  root,
  entries: {
    ...{ host: entry('host'), worker: entry('worker'), trainer: entry('trainer') },
    ...{ engine: entry('engine'), frames: entry('frames') },
    index: index === '' ? entry('index') : new URL(index),
  },
  // Of a run that is resumed too: they are not part of its folder.
  agents: async () => (config === 'null' ? {} : parseConfig(JSON.parse(config)).agents),
  clock: systemClock,
  notice: message => say(`notice ${message}`),
});
for (const { run, status, canResume } of await runs.list()) say(`found ${run} ${status} ${canResume}`);
runs.watch(state => say(`state ${JSON.stringify(state)}`));
process.stdin.resume().once('end', async () => {
  await runs.close();
  say('closed');
  process.exit();
});
const run = name === '' ? await runs.start(parseConfig(JSON.parse(config))) : runId(name);
if (name !== '') await runs.resume(run);
say(`${name === '' ? 'began' : 'resumed'} ${run}`);
if (runs.state(run)?.hosts !== undefined) say(`join ${runs.hosts.address(run).address}`);
for await (const line of createInterface({ input: process.stdin })) {
  const [word, host = ''] = line.split(' ');
  if (word === 'drain')
    await runs.hosts.drain(run, host).then(
      () => say(`drains ${host}`),
      error => say(`refused ${error.message}`),
    );
}
