// The house rules of who may import whom (docs/architecture.md). A broken rule fails with its own sentence.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The folders of the runtime, lowest first, each with the folders that it may import. */
const BASE = ['core'];
const SHARED = ['core', 'protocol', 'rpc', 'fabric', 'graph', 'engine', 'tasks'];
const MODULES = ['environments', 'rollout', 'data', 'trainer'];
const RUN = [
  ...SHARED,
  'blobs',
  'endpoints',
  'agents',
  'learner',
  ...MODULES,
  'discovery',
  'config',
  'hosts',
  'lease',
];
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  protocol: BASE,
  rpc: BASE,
  tasks: BASE,
  blobs: BASE,
  lease: BASE,
  fabric: [...BASE, 'rpc', 'lease', 'blobs'],
  graph: BASE,
  engine: [...BASE, 'rpc', 'graph'],
  endpoints: SHARED,
  agents: [...SHARED, 'endpoints'],
  environments: [...SHARED, 'agents'],
  rollout: [...SHARED, 'agents'],
  data: [...SHARED, 'agents'],
  learner: [...SHARED, 'endpoints', 'agents'],
  trainer: [...SHARED, 'agents', 'learner'],
  config: [...SHARED, 'endpoints', 'agents', 'learner', ...MODULES],
  discovery: [...SHARED, 'agents', ...MODULES],
  hosts: [...SHARED, 'blobs', 'endpoints', 'data'],
  cloning: [...SHARED, 'endpoints', 'agents', ...MODULES],
  'guest-server': [...SHARED, 'agents', 'environments'],
  run: RUN,
  'endpoint-check': [...RUN, 'run'],
  compare: [...RUN, 'run'],
  inference: [...RUN, 'run'],
  collect: [...RUN, 'run', 'inference'],
  formats: [...RUN, 'run'],
  person: [...RUN, 'run', 'inference', 'collect'],
  server: [...RUN, 'run', 'compare', 'endpoint-check', 'inference', 'collect', 'person', 'formats'],
  'model-server': [...RUN, 'run', 'server'],
  openenv: [...RUN, 'run', 'server'],
  cli: [
    ...RUN,
    'run',
    'compare',
    'endpoint-check',
    'inference',
    'collect',
    'person',
    'cloning',
    'server',
    'formats',
    'guest-server',
    'model-server',
    'openenv',
  ],
};
/** The benchmarks may use every folder; no folder may use them. */
const BENCH = 'bench';
/** The entries of processes that hold an ONNX Runtime. */
const CHILDREN = [
  'runtime/engine/engine-child.ts',
  'runtime/bench/engine/worker.ts',
  'runtime/run/trainer/trainer-child.ts',
  'runtime/rollout/worker-child.ts',
  'runtime/inference/inference-child.ts',
];

interface Import {
  /** Both relative to the project; `target` is a file of the project or the name of a package. */
  readonly file: string;
  readonly target: string;
}

interface Rule {
  readonly sentence: string;
  readonly breaks: (edge: Import) => boolean;
}

const partOf = (path: string): string | undefined => {
  const [top, part, ...rest] = path.split('/');
  if (top !== 'runtime') return undefined;
  return rest.length === 0 ? '' : part;
};
const isPackage = (target: string): boolean => !/^(runtime|extension|webview|test|media)\//.test(target);
const isWithin = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);

const RULES: readonly Rule[] = [
  {
    sentence: 'core imports nothing from the project: it holds the types that every other folder shares',
    breaks: ({ file, target }) =>
      partOf(file) === 'core' && partOf(target) !== 'core' && !target.startsWith('node:'),
  },
  {
    sentence:
      'environments, rollout, data and trainer never import one another: they meet in channels and core',
    breaks: ({ file, target }) => {
      const [from, to] = [partOf(file) ?? '', partOf(target) ?? ''];
      return from !== to && MODULES.includes(from) && MODULES.includes(to);
    },
  },
  {
    sentence:
      'imports flow one way: core ← protocol rpc fabric graph tasks ← endpoints ← agents ← the four modules ← discovery ← run ← server ← model-server ← cli',
    breaks: ({ file, target }) => {
      const [from, to] = [partOf(file), partOf(target)];
      if (from === undefined || to === undefined || from === to || from === BENCH) return false;
      return !(MAY_IMPORT[from] ?? []).includes(to);
    },
  },
  {
    sentence:
      'every folder of the runtime has its place in this list; a new one is added to docs/architecture.md and here',
    breaks: ({ file }) => ![BENCH, undefined, ...Object.keys(MAY_IMPORT)].includes(partOf(file)),
  },
  {
    sentence: 'nothing imports the benchmarks',
    breaks: ({ file, target }) =>
      partOf(target) === BENCH && partOf(file) !== BENCH && !isWithin(file, 'test'),
  },
  {
    sentence:
      'extension and webview import only the protocol of the runtime (the extension also its core), and not each other',
    breaks: ({ file, target }) =>
      ['extension', 'webview'].some(
        side =>
          isWithin(file, side) &&
          !isPackage(target) &&
          !isWithin(target, side) &&
          partOf(target) !== 'protocol' &&
          !(side === 'extension' && partOf(target) === 'core'),
      ),
  },
  {
    sentence: 'the runtime knows nothing of the extension and the pages',
    breaks: ({ file, target }) =>
      isWithin(file, 'runtime') &&
      (isWithin(target, 'extension') || isWithin(target, 'webview') || target === 'vscode'),
  },
  {
    sentence: 'the product never imports its tests',
    breaks: ({ file, target }) => !isWithin(file, 'test') && isWithin(target, 'test'),
  },
  {
    sentence: 'ONNX Runtime is loaded in runtime/graph/runtime.ts and nowhere else',
    breaks: ({ file, target }) =>
      /^onnxruntime-(node|web)/.test(target) &&
      file !== 'runtime/graph/runtime.ts' &&
      !isWithin(file, 'test'),
  },
  {
    sentence:
      'whatever loads ONNX Runtime is a child process: only entries of such processes call loadRuntime',
    breaks: ({ file, target }) =>
      target === 'runtime/graph/runtime.ts#loadRuntime' &&
      !CHILDREN.includes(file) &&
      !isWithin(file, 'test'),
  },
];

const broken = (edge: Import): readonly string[] =>
  RULES.filter(rule => rule.breaks(edge)).map(
    rule => `${edge.file} imports ${edge.target}: ${rule.sentence}`,
  );

function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile() && /\.[cm]?tsx?$/.test(entry.name))
    .map(entry => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}

const IMPORT =
  /(?:\bimport|\bexport)\s+(?:[^'";]*?\bfrom\s*)?['"]([^'"]+)['"]|\bimport\s*\(\s*['"]([^'"]+)['"]/g;

function importsOf(file: string, text: string): Import[] {
  return [...text.matchAll(IMPORT)].flatMap(match => {
    const name = match[1] ?? match[2] ?? '';
    const target = name.startsWith('.') ? normalize(join(dirname(file), name)).replaceAll('\\', '/') : name;
    const named = match[0].includes('loadRuntime') ? [{ file, target: `${target}#loadRuntime` }] : [];
    return [{ file, target }, ...named];
  });
}

const edges = ['runtime', 'extension', 'webview', 'test']
  .flatMap(filesBelow)
  .flatMap(file => importsOf(file, readFileSync(join(ROOT, file), 'utf8')));

test('the project has imports to check', () => {
  expect(edges.length).toBeGreaterThan(50);
});

test.each(RULES)('$sentence', ({ sentence, breaks }) => {
  expect(
    edges.filter(breaks).map(({ file, target }) => `${file} imports ${target}`),
    sentence,
  ).toEqual([]);
});

describe('a broken rule is noticed', () => {
  test.each([
    ['runtime/core/task.ts', 'zod', 'core imports nothing'],
    ['runtime/rollout/runner.ts', 'runtime/data/pool.ts', 'never import one another'],
    ['runtime/graph/adam.ts', 'runtime/agents/compact/network.ts', 'imports flow one way'],
    ['runtime/agents/compact/network.ts', 'runtime/server/server.ts', 'imports flow one way'],
    ['runtime/helpers/misc.ts', 'node:fs', 'has its place in this list'],
    ['runtime/cli/main.ts', 'runtime/bench/main.ts', 'nothing imports the benchmarks'],
    ['webview/training.ts', 'runtime/core/step.ts', 'import only the protocol'],
    ['extension/extension.ts', 'webview/page.ts', 'and not each other'],
    ['runtime/server/server.ts', 'vscode', 'nothing of the extension'],
    ['runtime/trainer/update.ts', 'test/graph/differences.ts', 'never imports its tests'],
    ['runtime/agents/worker.ts', 'onnxruntime-node', 'nowhere else'],
    ['runtime/agents/worker.ts', 'runtime/graph/runtime.ts#loadRuntime', 'child process'],
  ])('%s → %s', (file, target, sentence) => {
    expect(broken({ file, target }).join()).toContain(sentence);
  });

  test('in every way in which a file can be imported', () => {
    const text = `
      import '../a.ts';
      import type { B } from '../b.ts';
      import {
        c,
      } from "../c.ts";
      export * from '../d.ts';
      const e = await import('../e.ts');
    `;
    const targets = importsOf('runtime/graph/x.ts', text).map(({ target }) => target);
    expect(targets).toEqual(['a', 'b', 'c', 'd', 'e'].map(name => `runtime/${name}.ts`));
  });
});

test('what is allowed breaks no rule', () => {
  for (const [file, target] of [
    ['runtime/graph/runtime.ts', 'onnxruntime-node'],
    ['runtime/trainer/update.ts', 'runtime/agents/compact/objective.ts'],
    ['runtime/cli/main.ts', 'runtime/server/server.ts'],
    ['extension/client.ts', 'runtime/protocol/messages.ts'],
    ['runtime/bench/engine.ts', 'runtime/server/server.ts'],
    ['test/graph/adam.test.ts', 'runtime/graph/adam.ts'],
  ] as const) {
    expect(broken({ file, target })).toEqual([]);
  }
});

/** A gradient is made of operations: mul's gradient sums, a sum's gradient expands. These files are one mutually recursive set. */
const OPERATIONS = 'runtime/graph/ops';

test('no file imports itself through others, types included', () => {
  const next = new Map<string, string[]>();
  for (const { file, target } of edges)
    if (!isWithin(file, 'test') && !isPackage(target) && !isWithin(target, OPERATIONS))
      next.set(file, [...(next.get(file) ?? []), target]);
  const [done, path, cycles]: [Set<string>, string[], string[]] = [new Set(), [], []];
  const visit = (file: string): void => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '));
    if (done.has(file)) return;
    done.add(file);
    path.push(file);
    for (const target of next.get(file) ?? []) visit(target);
    path.pop();
  };
  for (const file of next.keys()) visit(file);
  expect(cycles).toEqual([]);
});

test('an exported type name is defined once in the tree', () => {
  const definitions = new Map<string, string[]>();
  for (const file of ['runtime', 'extension', 'webview'].flatMap(filesBelow)) {
    const text = readFileSync(join(ROOT, file), 'utf8');
    for (const [, name = ''] of text.matchAll(
      /^export (?:declare )?(?:abstract )?(?:interface|type|class|enum) (\w+)/gm,
    ))
      definitions.set(name, [...(definitions.get(name) ?? []), file]);
  }
  const repeated = [...definitions].filter(([, files]) => files.length > 1);
  expect(repeated.map(([name, files]) => `${name}: ${files.join(', ')}`)).toEqual([]);
});

/** Past participles whose last letters do not tell. */
const PARTICIPLES = new Set(
  'begun built chosen done drawn found given held hidden kept known left lost made said seen sent shown taken told written'.split(
    ' ',
  ),
);
const NO_PARTICIPLES = new Set(['feed', 'need', 'seed', 'speed']);

test('no file is named after a past participle alone: its last word is a noun or a verb', () => {
  const named = ['runtime', 'extension', 'webview', 'test'].flatMap(filesBelow).filter(file => {
    const [stem = ''] = (file.split('/').at(-1) ?? '').split('.');
    const word = stem.split('-').at(-1) ?? '';
    return PARTICIPLES.has(word) || (word.endsWith('ed') && !NO_PARTICIPLES.has(word));
  });
  expect(named).toEqual([]);
});
