// Records the sample run of the extension: trains with the command line, and packs a part of the run folder into media/sample.zip.
// Run `npm run build`, then `node scripts/sample.mjs`; or `node scripts/sample.mjs --from FOLDER --run NAME` for an existing run.
//
// The archive lacks most trajectories, the weights, the checkpoints and the metrics, so the run can be viewed but not resumed. Its name
// becomes 'sample' in every file; nothing else changes.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';

const NAME = 'sample';
const FILES = ['run.json', 'state.json', 'curve.csv', 'curve.svg', 'masks.jsonl', 'decisions.jsonl'];
/** How many are kept: groups of rollouts, trajectories of evaluations, and demonstrations and relabelled episodes. */
const [MAX_GROUPS, MAX_EVALUATIONS, MAX_DEMONSTRATIONS] = [16, 60, 24];
const MAX_BYTES = 1e6;
/** The same run gives the same file, bit for bit. Archives hold local times, and none before this one. */
const MTIME = new Date(1980, 0, 1);

const { values } = parseArgs({ options: { from: { type: 'string' }, run: { type: 'string' } } });
const workspace = values.from ?? train();
const runs = join(workspace, '.dartboard', 'runs');
const run = values.run ?? readFileSync(join(runs, 'latest'), 'utf8').trim();
const renamed = text => text.replaceAll(run, NAME);

const entries = {};
const put = (place, bytes, level = 9) => {
  entries[`.dartboard/runs/${place}`] = [bytes, { level, mtime: MTIME }];
};
for (const file of FILES)
  if (existsSync(join(runs, run, file)))
    put(`${NAME}/${file}`, strToU8(renamed(readFileSync(join(runs, run, file), 'utf8'))));
const kept = chosen(trajectories());
for (const { files } of kept) {
  const parts = Object.fromEntries(
    Object.entries(files).map(([name, bytes]) => [
      name,
      [/\.jsonl?$/.test(name) ? strToU8(renamed(strFromU8(bytes))) : bytes, { level: 9, mtime: MTIME }],
    ]),
  );
  const { id } = JSON.parse(strFromU8(parts['dartboard.json'][0]));
  const bucket = createHash('sha256').update(id).digest('hex').slice(0, 2);
  put(`${NAME}/trajectories/${bucket}/${id}.zip`, zipSync(parts), 0);
}
const packed = zipSync(entries);
if (packed.length > MAX_BYTES)
  throw new Error(
    `The sample has ${packed.length} bytes, but at most ${MAX_BYTES} are allowed. Lower MAX_GROUPS or MAX_EVALUATIONS.`,
  );
writeFileSync('media/sample.zip', packed);
process.stdout.write(
  `media/sample.zip: ${kept.length} trajectories of ${run}, ${(packed.length / 1e6).toFixed(2)} MB\n`,
);

/** Trains in a temporary folder and returns it. */
function train() {
  const folder = mkdtempSync(join(tmpdir(), 'dartboard-sample-'));
  const command = ['train', '--tier', '1,2', '--preset', 'taught', '--minutes', '6'];
  const { status } = spawnSync(process.execPath, [resolve('dist/main.js'), ...command], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (status !== 0)
    throw new Error(
      `'dartboard ${command.join(' ')}' failed with exit code ${status}. Its messages are above.`,
    );
  return folder;
}

function trajectories() {
  const folder = join(runs, run, 'trajectories');
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith('.zip'))
    .map(({ parentPath, name }) => unzipSync(readFileSync(join(parentPath, name))))
    .map(files => ({ files, about: JSON.parse(strFromU8(files['dartboard.json'])) }))
    .sort((a, b) => a.about.endedAt - b.about.endedAt || (a.about.id < b.about.id ? -1 : 1));
}

/** Whole groups from all of the run, the last evaluations, and demonstrations and relabelled episodes. */
function chosen(all) {
  const trained = new Set(
    readFileSync(join(runs, run, 'masks.jsonl'), 'utf8')
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line).group),
  );
  const groups = new Map();
  for (const each of all)
    if (trained.has(each.about.group))
      groups.set(each.about.group, [...(groups.get(each.about.group) ?? []), each]);
  const whole = [...groups.values()].filter(group => group.length >= 4);
  const evaluations = all.filter(({ about }) => about.purpose === 'evaluate');
  const demonstrations = all.filter(
    ({ about }) => about.purpose !== 'evaluate' && about.provenance.kind !== 'rollout',
  );
  return [
    ...evenly(whole, MAX_GROUPS).flat(),
    ...evenly(evaluations.slice(-4 * MAX_EVALUATIONS), MAX_EVALUATIONS),
    ...evenly(demonstrations, MAX_DEMONSTRATIONS),
  ];
}

function evenly(items, count) {
  const every = Math.max(1, items.length / count);
  return items.filter((_, index) => Math.floor(index / every) !== Math.floor((index - 1) / every));
}
