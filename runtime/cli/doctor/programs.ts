// Checks Node, ONNX Runtime and sql.js.

import { type Finding, ok, problem, reasonOf, warning } from '../../core/finding.ts';
import { type Engine, startEngine } from '../../engine/engine.ts';
import { Graph } from '../../graph/graph.ts';
import * as op from '../../graph/ops/index.ts';
import { forwardProgram } from '../../graph/program.ts';

const MIN_NODE_VERSION = '20.15';

/** `version` is a version of Node, as 20.20.2. */
export function node(version: string): Finding {
  if (numberOf(version) >= numberOf(MIN_NODE_VERSION)) return ok('Node', version);
  return problem(
    'Node',
    `version ${version} is too old`,
    `Install Node ${MIN_NODE_VERSION} or newer, and run Dartboard with it.`,
  );
}

function numberOf(version: string): number {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return 1000 * major + minor;
}

type Started = Pick<Engine, 'runtime' | 'version' | 'insteadOfNative' | 'open' | 'close'>;

/** Runs in a child process: a native crash ends only the child. */
export async function onnxRuntime(start: () => Promise<Started>): Promise<Finding> {
  const name = 'ONNX Runtime';
  let engine: Started | undefined;
  try {
    engine = await start();
    const { runtime, version, insteadOfNative } = engine;
    const sum = await onePlusTwo(engine);
    if (sum !== 3) return problem(name, `${version} (${runtime}) computed 1 + 2 = ${sum}`, REINSTALL);
    if (runtime === 'native') return ok(name, `${version}, native`);
    const why = insteadOfNative === undefined ? '' : `: ${reasonOf(insteadOfNative)}`;
    return warning(
      name,
      `${version} in WebAssembly, about three times slower than native${why}`,
      "Install the package 'onnxruntime-node' for this platform, or train longer.",
    );
  } catch (error) {
    return problem(name, `neither the native nor the WebAssembly build works: ${reasonOf(error)}`, REINSTALL);
  } finally {
    await engine?.close();
  }
}

export const engineAt = (entry: URL) => (): Promise<Started> => startEngine({ entry });

const REINSTALL = "Reinstall Dartboard's packages with 'npm ci', or reinstall the extension.";

async function onePlusTwo(engine: Pick<Started, 'open'>): Promise<number | undefined> {
  const graph = new Graph();
  const x = graph.input('x', 'float32', ['B']);
  const session = await engine.open(forwardProgram(graph, { y: op.add(x, 1) }));
  const { y } = await session.run({ x: { dtype: 'float32', dims: [1], data: Float32Array.of(2) } });
  return y === undefined ? undefined : Number(y.data[0]);
}

/** `compute` loads sql.js and returns 1 + 2. */
export async function sqlJs(compute: () => Promise<unknown>): Promise<Finding> {
  const name = 'sql.js';
  try {
    const sum = await compute();
    return sum === 3 ? ok(name, 'works') : problem(name, `computed 1 + 2 = ${sum}`, REINSTALL);
  } catch (error) {
    return problem(name, `cannot be loaded: ${reasonOf(error)}`, REINSTALL);
  }
}

/** The import is dynamic, so that a missing package becomes a finding. */
export async function sumBySql(): Promise<unknown> {
  const { default: load } = await import('sql.js');
  const { Database } = await load();
  const database = new Database();
  try {
    return database.exec('SELECT 1 + 2')[0]?.values[0]?.[0];
  } finally {
    database.close();
  }
}
