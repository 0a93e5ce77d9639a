// Files of strangers: weights, screenshots, task files and settings.

import { deflateSync } from 'node:zlib';
import { resolve } from '../../../../config/config.ts';
import { CONFIG_FILE, settingsFromText } from '../../../../config/config-file.ts';
import { ConfigError } from '../../../../config/settings.ts';
import { joined, pngChunk } from '../../../../core/png.ts';
import { decodePng, PngError } from '../../../../core/png-reader.ts';
import type { Random } from '../../../../core/rng.ts';
import { templateFromFile } from '../../../../environments/pocket/tasks/from-folder.ts';
import { taskFromText } from '../../../../environments/task-folder.ts';
import { decodeSafetensors, encodeSafetensors, SafetensorsError } from '../../../../graph/safetensors.ts';
import { TaskFileError } from '../../../../tasks/schema.ts';
import { type Border, bytesOfText, reading, textOf } from '../border.ts';
import { chosen, damagedBytes, damagedJson, damagedJsonText, jsonText, oneIn } from '../damage.ts';
import { SAMPLE_PNG } from './samples.ts';

const WEIGHTS = encodeSafetensors({
  tensors: {
    weight: { dtype: 'float32', dims: [2, 3], data: new Float32Array(6).fill(0.5) },
    bias: { dtype: 'int64', dims: [2], data: BigInt64Array.of(1n, 2n) },
    mask: { dtype: 'bool', dims: [3], data: new Uint8Array([1, 0, 1]) },
  },
  metadata: { format: 'dartboard', step: '3' },
});

/** As other programs write it: no checksum hides damage from the checks behind it. */
const PLAIN_HEADER = {
  __metadata__: { format: 'pt' },
  weight: { dtype: 'F32', shape: [2, 3], data_offsets: [0, 24] },
  bias: { dtype: 'I64', shape: [2], data_offsets: [24, 40] },
  mask: { dtype: 'BOOL', shape: [3], data_offsets: [40, 43] },
};
const PLAIN_BYTES = 43;

function safetensorsInput(random: Random): Uint8Array {
  if (oneIn(4, random)) return damagedBytes(WEIGHTS, random);
  const header = bytesOfText(jsonText(damagedJson(PLAIN_HEADER, random), random));
  const length = new Uint8Array(8);
  const lie = oneIn(10, random) ? chosen([-1, 1, 8, 2 ** 31, 2 ** 53, -header.length], random) : 0;
  new DataView(length.buffer).setBigUint64(0, BigInt.asUintN(64, BigInt(header.length + lie)), true);
  return joined([length, header, new Uint8Array(PLAIN_BYTES + (oneIn(8, random) ? random.int(9) - 4 : 0))]);
}

const SIDES = [0, 1, 2, 7, 64, 255, 1000, 3840, 0xffff, 0x7fff_ffff, 0xffff_ffff];

/** A PNG whose header, palette and pixels may disagree. */
function pngInput(random: Random): Uint8Array {
  if (oneIn(3, random)) return damagedBytes(SAMPLE_PNG, random);
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  const isSmall = !oneIn(12, random);
  view.setUint32(0, isSmall ? 1 + random.int(40) : chosen(SIDES, random));
  view.setUint32(4, isSmall ? 1 + random.int(40) : chosen(SIDES, random));
  header.set([chosen([1, 2, 4, 8, 16, 3, 255], random), chosen([0, 2, 3, 4, 6, 1, 7], random), 0, 0], 8);
  header[12] = oneIn(9, random) ? 1 : 0;
  const rows = new Uint8Array(isSmall ? random.int(12_000) : random.int(3_000_000)).fill(random.int(6));
  const packed = deflateSync(rows, { level: 1 });
  const png = joined([
    SAMPLE_PNG.subarray(0, 8),
    chunkNamed('IHDR', header),
    ...(oneIn(2, random) ? [chunkNamed('PLTE', new Uint8Array(random.int(800)))] : []),
    ...(oneIn(20, random) ? Array.from({ length: 3000 }, () => chunkNamed('tEXt', new Uint8Array(0))) : []),
    pngChunk('IDAT', oneIn(6, random) ? damagedBytes(packed, random) : packed),
    pngChunk('IEND'),
  ]);
  return oneIn(5, random) ? damagedBytes(png, random) : png;
}

function chunkNamed(name: string, content: Uint8Array): Uint8Array {
  const chunk = pngChunk('IDAT', content);
  chunk.set(bytesOfText(name), 4);
  return chunk;
}

/** Of a screenshot of 4K. */
const MAX_PIXELS = 3840 * 2160;

const TASK = {
  id: 'create-{what.name}',
  instruction: 'Create a folder named {what.name} in {place}.',
  config: [{ type: 'pocket_world', parameters: { folders: [['Documents']], settings: { theme: 'dark' } } }],
  related_apps: ['files'],
  evaluator: {
    func: ['check_include_exclude', 'exact_match'],
    conj: 'and',
    result: [{ type: 'pocket_files' }, { type: 'pocket_state', path: 'notes' }],
    expected: [
      { type: 'rule', rules: { include: ['{what.name}'], exclude: ['^(a+)+$'] } },
      { type: 'rule', rules: {} },
    ],
    options: {},
  },
  dartboard: {
    ...{ tier: 2, max_steps: 12, seeds: [1, 2] },
    vary: { what: [{ name: 'Letters', sign: '{place}' }], place: ['Documents', 'Pictures'] },
    vary_test: { place: ['Music'] },
    solution: [
      ['open', 'Files'],
      ['click', 'button', 'New folder'],
      ['type', '{what.name}'],
      ['keys', 'enter'],
      ['drag', 'icon', 'a', 'icon', 'b'],
    ],
    misses: { 'another name': [['open', 'Files']] },
  },
};

const SETTINGS = {
  ...{ minutes: 10, seed: 'seven', mode: 'screenshot', agent: 'model', suite: { tiers: [1, 2] } },
  environments: {
    ...{ kind: 'docker', desktops: 4 },
    docker: { screen: '1280x720', hosts: [{ address: 'ssh://user@host', capacity: 40 }] },
  },
  rollout: {},
  data: { stalenessVersions: 4 },
  agents: {
    model: {
      ...{ url: 'http://localhost:8000/v1', model: 'ui-tars', profile: 'ui-tars-1.5' },
      limits: { concurrency: 4, timeoutSeconds: 60 },
    },
  },
};

export const FILE_BORDERS: readonly Border[] = [
  {
    ...{ name: 'safetensors', inputs: 300_000, make: safetensorsInput },
    ...reading(decodeSafetensors, SafetensorsError),
  },
  {
    ...{ name: 'png', inputs: 80_000, make: pngInput },
    ...reading(input => decodePng(input, MAX_PIXELS), PngError),
  },
  {
    ...{ name: 'task-json', inputs: 150_000, make: random => damagedJsonText(TASK, random) },
    ...reading(
      input => templateFromFile(taskFromText(textOf(input), 'stranger.json'), 'stranger.json'),
      TaskFileError,
    ),
  },
  {
    ...{ name: 'dartboard-json', inputs: 60_000, make: random => damagedJsonText(SETTINGS, random) },
    ...reading(input => resolve(settingsFromText(textOf(input), CONFIG_FILE)), ConfigError),
  },
];
