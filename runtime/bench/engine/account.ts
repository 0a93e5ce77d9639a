// Where the time of a training step goes, from the profile that ONNX Runtime writes: time by kind of kernel, and how
// fast the matrix products were. Reads a profile; does not make one.

interface Event {
  readonly cat: string;
  readonly name: string;
  readonly dur: number;
  readonly args: {
    readonly op_name?: string;
    readonly input_type_shape?: readonly Readonly<Record<string, readonly number[]>>[];
    readonly output_type_shape?: readonly Readonly<Record<string, readonly number[]>>[];
  };
}

export interface Account {
  /** Milliseconds a run, by kind of kernel; 'between kernels' is what the runs took beside them. */
  readonly milliseconds: Readonly<Record<string, number>>;
  readonly kernels: number;
  /** Multiplications and additions inside matrix products, a run. */
  readonly flops: number;
}

const KINDS: Readonly<Record<string, readonly string[]>> = {
  'matrix products': ['MatMul', 'Gemm', 'FusedMatMul', 'FusedGemm'],
  'softmax and normalisation': ['Softmax', 'LogSoftmax', 'LayerNormalization', 'SkipLayerNormalization'],
  'sums over axes': ['ReduceSum', 'ReduceMean', 'ReduceMax', 'ReduceSumSquare'],
  'moving numbers': [
    ...['Transpose', 'Reshape', 'Concat', 'Split', 'Slice', 'Expand', 'Pad', 'Squeeze', 'Unsqueeze'],
    ...['Gather', 'GatherElements', 'ScatterND', 'ScatterElements', 'Identity', 'Cast', 'Shape'],
  ],
};

const kindOf = (operation: string): string =>
  Object.keys(KINDS).find(kind => KINDS[kind]?.includes(operation)) ?? 'elementwise';

export function accountOf(profile: string, warmUp: number): Account {
  const events = JSON.parse(profile) as readonly Event[];
  const runs = events.filter(({ name }) => name === 'SequentialExecutor::Execute');
  const kernels = events.filter(({ cat, name }) => cat === 'Node' && name.endsWith('_kernel_time'));
  const perRun = kernels.length / runs.length;
  const counted = runs.length - warmUp;
  const milliseconds: Record<string, number> = {};
  let flops = 0;
  for (const { dur, args } of kernels.slice(warmUp * perRun)) {
    const kind = kindOf(args.op_name ?? '');
    milliseconds[kind] = (milliseconds[kind] ?? 0) + dur / 1000 / counted;
    if (kind === 'matrix products') flops += flopsOf(args) / counted;
  }
  const inKernels = Object.values(milliseconds).reduce((sum, each) => sum + each, 0);
  const whole = runs.slice(warmUp).reduce((sum, { dur }) => sum + dur, 0) / 1000 / counted;
  return { milliseconds: { ...milliseconds, 'between kernels': whole - inKernels }, kernels: perRun, flops };
}

/** Twice the product of all dimensions of the result and the one that was summed over. */
function flopsOf({ input_type_shape: inputs = [], output_type_shape: outputs = [] }: Event['args']): number {
  const [a = [], b = []] = inputs.map(input => Object.values(input)[0] ?? []);
  const result = Object.values(outputs[0] ?? {})[0] ?? [];
  const count = (dims: readonly number[]) => dims.reduce((product, dim) => product * dim, 1);
  const rank = result.length;
  const batch = rank > 2 && b.length > 2 ? count(result.slice(0, -2)) : 1;
  const rows = rank > 2 && b.length === 2 ? count(result.slice(0, -1)) : (result.at(-2) ?? 1);
  const columns = result.at(-1) ?? 1;
  const inner = count(a) / batch / rows;
  return 2 * batch * rows * columns * inner;
}

export function explained(
  { milliseconds, kernels, flops }: Account,
  size: number,
  matmulGflops: number,
): string {
  const parts = Object.entries(milliseconds).sort(([, a], [, b]) => b - a);
  const whole = parts.reduce((sum, [, each]) => sum + each, 0);
  const rows = parts.map(([kind, each]) => {
    const share = ((100 * each) / whole).toFixed(1);
    return `    ${kind.padEnd(26)} ${each.toFixed(2).padStart(7)} ms  ${share.padStart(5)} %`;
  });
  const gflops = flops / (milliseconds['matrix products'] ?? Number.NaN) / 1e6;
  const share = ((100 * gflops) / matmulGflops).toFixed(0);
  return [
    `  A training step of ${size} samples runs ${kernels} kernels:`,
    ...rows,
    `    Its products run at ${gflops.toFixed(0)} GFLOP/s, ${share} % of what one large product reaches (${matmulGflops.toFixed(0)}).`,
  ].join('\n');
}
