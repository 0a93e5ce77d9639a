// What `dartboard demonstrate` does: it shows the engine at work. A small network learns
// to point at what it is told, on screens that are drawn anew each time, in an engine process of its own.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Random, seeded } from './contracts/world.ts';
import {
  CELLS,
  COLOURS,
  type DemoScreen,
  drawScreen,
  HEIGHT,
  picture,
  WIDTH,
} from './demonstration-screens.ts';
import { Graph, type Value } from './graph/graph.ts';
import * as initial from './graph/initial.ts';
import { linear } from './graph/layers.ts';
import { initialWeights, layoutOf, unpack, WEIGHTS } from './graph/layout.ts';
import * as op from './graph/ops/index.ts';
import { startEngine } from './graph/process/engine.ts';
import { exportOnnx, forwardProgram, trainingProgram } from './graph/program.ts';
import { encodeSafetensors } from './graph/safetensors.ts';
import type { Session } from './graph/session.ts';
import { type Tensor, type Tensors, tensor } from './graph/tensor.ts';

const BATCH = 64;
/** After how many steps the progress is shown: learning is fastest at the start. */
const REPORTS = [5, 10, 20, 40, 80, 160, 320, 640];
const UNSEEN = 1000;
const FEATURES = 32;

interface Network {
  readonly graph: Graph;
  readonly pointer: Value;
  readonly loss: Value;
}

/** Two convolutions look at the screen; the colour's name becomes a query that each cell is compared with. */
function pointingNetwork(): Network {
  const graph = new Graph();
  const pixels = graph.input('pixels', 'uint8', ['B', 3, HEIGHT, WIDTH]);
  const layer = (x: Value, name: string, channels: number): Value => {
    const [, before] = x.shape;
    const kernel = graph.parameter(`${name}.w`, [channels, Number(before), 3, 3], initial.fanIn(Math.SQRT2));
    const bias = graph.parameter(`${name}.b`, [channels], initial.constant(0));
    return op.relu(op.conv(x, kernel, { bias, stride: [2, 2], padding: [1, 1] }));
  };
  const scaled = op.div(op.cast(pixels, 'float32'), 255);
  const seen = layer(layer(scaled, 'first', 16), 'second', FEATURES);
  const cells = op.transpose(op.reshape(seen, ['B', FEATURES, CELLS]), [0, 2, 1]);
  const names = graph.parameter('names', [COLOURS.length, FEATURES], initial.normal(1));
  const query = op.gather(names, graph.input('colour', 'int32', ['B']));
  const keys = linear(graph, cells, 'keys', FEATURES);
  const pointer = op.logSoftmax(
    op.reshape(op.matmul(keys, op.reshape(query, ['B', FEATURES, 1])), ['B', CELLS]),
  );
  const middle = op.reshape(graph.input('middle', 'int32', ['B']), ['B', 1]);
  return { graph, pointer, loss: op.neg(op.reduceMean(op.gatherElements(pointer, middle))) };
}

const screens = (random: Random, count: number): readonly DemoScreen[] =>
  Array.from({ length: count }, () => drawScreen(random));

function observed(some: readonly DemoScreen[]): Tensors {
  const pixels = new Uint8Array(some.length * 3 * HEIGHT * WIDTH);
  for (const [index, screen] of some.entries()) pixels.set(screen.pixels, index * screen.pixels.length);
  return {
    pixels: tensor('uint8', [some.length, 3, HEIGHT, WIDTH], pixels),
    colour: whole(some.map(({ colour }) => colour)),
  };
}

const whole = (numbers: readonly number[]): Tensor =>
  tensor('int32', [numbers.length], Int32Array.from(numbers));

async function pointedAt(session: Session, some: readonly DemoScreen[]): Promise<readonly number[]> {
  const { cell } = await session.run(observed(some));
  return Array.from(cell?.data ?? [], Number);
}

const hits = (some: readonly DemoScreen[], pointed: readonly number[]): number =>
  some.filter(({ right }, index) => right.has(pointed[index] ?? -1)).length / some.length;

export interface Demonstration {
  /** The bundled engine process. */
  readonly engineEntry: URL;
  readonly folder: string;
  readonly say: (line: string) => void;
  readonly colour: boolean;
  readonly seed: string;
}

export async function demonstrate({ engineEntry, folder, say, colour, seed }: Demonstration): Promise<void> {
  await prepareFolder(folder);
  const random = seeded(seed);
  const network = pointingNetwork();
  const outputs = { cell: op.argMax(network.pointer) };
  const engine = await startEngine({ entry: engineEntry });
  try {
    const forward = await engine.open(forwardProgram(network.graph, outputs));
    const adam = { learningRate: { peak: 3e-3, warmup: 20 }, clipNorm: 1 };
    const training = await engine.open(trainingProgram(network.graph, network.loss, adam));
    const layout = layoutOf(network.graph);
    const chance = random.fork('weights');
    const start = initialWeights(network.graph, () => chance.next());
    await training.write({ [WEIGHTS]: tensor('float32', [layout.size], start) });

    say('A network that has seen nothing learns to point at what it is told.');
    say(
      `onnxruntime ${engine.version} (${engine.runtime}) in process ${engine.pid} · ${layout.size} weights\n`,
    );
    const unseen = screens(random.fork('unseen'), UNSEEN);
    const share = async (): Promise<number> => {
      const { [WEIGHTS]: weights } = await training.read();
      if (weights !== undefined) await forward.write({ [WEIGHTS]: weights });
      return hits(unseen, await pointedAt(forward, unseen));
    };
    const before = await share();
    const drawn = random.fork('training');
    const began = performance.now();
    let trained = 0;
    let loss = Number.NaN;
    for (let step = 1; step <= Math.max(...REPORTS); step++) {
      const batch = screens(drawn, BATCH);
      const middle = whole(batch.map(each => each.middle));
      const result = await training.run({ ...observed(batch), middle });
      loss = Number(result['loss']?.data[0]);
      trained += BATCH;
      if (!REPORTS.includes(step)) continue;
      say(progress(trained, loss, await share(), trained / ((performance.now() - began) / 1000)));
    }
    const seconds = (performance.now() - began) / 1000;
    const after = await share();
    say(
      `\nPoints right on ${percent(before)} → ${percent(after)} of ${UNSEEN} screens it never saw, after ${seconds.toFixed(1)} s.\n`,
    );

    const shown = unseen.slice(0, 3);
    if (colour) for (const line of sideBySide(shown, await pointedAt(forward, shown))) say(line);
    const { [WEIGHTS]: weights } = await training.read();
    const flat = weights?.data instanceof Float32Array ? weights.data : start;
    const files = {
      'weights.safetensors': encodeSafetensors({ tensors: unpack(layout, flat), metadata: { seed } }),
      'network.onnx': exportOnnx(network.graph, outputs, flat),
    };
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
    say(
      `Saved ${join(folder, 'weights.safetensors')}, and ${join(folder, 'network.onnx')}, which runs in any ONNX Runtime.`,
    );
  } finally {
    await engine.close();
  }
}

/** Made before anything is learned, so that nothing is learned in vain. */
async function prepareFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The folder '${folder}' cannot be made (${reason}); name another with --out.`);
  }
}

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;

function progress(seen: number, loss: number, share: number, rate: number): string {
  const bar = '█'.repeat(Math.round(30 * share)).padEnd(30, '░');
  const screens = String(seen).padStart(6);
  return `  ${screens} screens  loss ${loss.toFixed(2)}  ${bar} ${percent(share).padStart(5)} right  ${rate.toFixed(0).padStart(6)} screens/s`;
}

function sideBySide(some: readonly DemoScreen[], pointed: readonly number[]): string[] {
  const pictures = some.map((screen, index) => picture(screen, pointed[index] ?? 0));
  const titles = some.map(({ colour }) => `point at ${COLOURS[colour]?.name}`.padEnd(WIDTH));
  const rows = Array.from({ length: HEIGHT / 2 }, (_, row) => pictures.map(lines => lines[row]).join('   '));
  return [`  ${titles.join('   ')}`, ...rows.map(row => `  ${row}`), ''];
}
