// Records the sample run that travels with the extension: trains as a user would, keeps a part of what there is to see of it, and packs that into
// media/sample.zip. `npm run build`, then `node scripts/sample.mjs`; or `node scripts/sample.mjs --from FOLDER --run NAME` for a run that was trained before.
//
// The run is renamed to 'sample' wherever it is named. Nothing else of what is kept is changed. What is left out: most trajectories, the weights,
// the checkpoints and the metrics, so it is only to be looked at.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';

const NAME = 'sample';
const FILES = ['run.json', 'state.json', 'curve.csv', 'curve.svg', 'masks.jsonl', 'decisions.jsonl'];
/** Groups of rollouts that trained; trajectories of measurements, of demonstrations and of what was found out in hindsight. */
const [GROUPS, EVALUATED, SHOWN] = [16, 60, 24];
const MOST_BYTES = 1e6;

const { values } = parseArgs({ options: { from: { type: 'string' }, run: { type: 'string' } } });
const workspace = values.from ?? train();
const runs = join(workspace, '.dartboard', 'runs');
const run = values.run ?? readFileSync(join(runs, 'latest'), 'utf8').trim();
const renamed = text => text.replaceAll(run, NAME);

const entries = {};
const put = (place, bytes, level = 9) => {
  // The same run gives the same file, bit for bit.
  entries[`.dartboard/runs/${place}`] = [bytes, { level, mtime: '1980-01-01' }];
};
for (const file of FILES)
  if (existsSync(join(runs, run, file)))
    put(`${NAME}/${file}`, strToU8(renamed(readFileSync(join(runs, run, file), 'utf8'))));
const kept = chosen(trajectories());
for (const { files } of kept) {
  const parts = Object.fromEntries(
    Object.entries(files).map(([name, bytes]) => [
      name,
      [
        /\.jsonl?$/.test(name) ? strToU8(renamed(strFromU8(bytes))) : bytes,
        { level: 9, mtime: '1980-01-01' },
      ],
    ]),
  );
  const { id } = JSON.parse(strFromU8(parts['dartboard.json'][0]));
  const bucket = createHash('sha256').update(id).digest('hex').slice(0, 2);
  put(`${NAME}/trajectories/${bucket}/${id}.zip`, zipSync(parts), 0);
}
const packed = zipSync(entries);
if (packed.length > MOST_BYTES)
  throw new Error(`The sample has ${packed.length} bytes, more than ${MOST_BYTES}: keep fewer trajectories.`);
writeFileSync('media/sample.zip', packed);
process.stdout.write(
  `media/sample.zip: ${kept.length} trajectories of ${run}, ${(packed.length / 1e6).toFixed(2)} MB\n`,
);

/** In a folder of its own; gives that folder. */
function train() {
  const folder = mkdtempSync(join(tmpdir(), 'dartboard-sample-'));
  const asked = ['train', '--tier', '1,2', '--preset', 'taught', '--minutes', '6'];
  const { status } = spawnSync(process.execPath, [resolve('dist/main.js'), ...asked], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`The training ended with ${status}.`);
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

/** Whole groups, some of them mixed, from all of the run; the last measurement; and what was shown. */
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
  const measured = all.filter(({ about }) => about.purpose === 'evaluate');
  const shown = all.filter(
    ({ about }) => about.purpose !== 'evaluate' && about.provenance.kind !== 'rollout',
  );
  return [
    ...evenly(whole, GROUPS).flat(),
    ...evenly(measured.slice(-4 * EVALUATED), EVALUATED),
    ...evenly(shown, SHOWN),
  ];
}

function evenly(items, count) {
  const every = Math.max(1, items.length / count);
  return items.filter((_, index) => Math.floor(index / every) !== Math.floor((index - 1) / every));
}
