// Reads the profile that ONNX Runtime writes of training steps: time by kind of kernel, and arithmetic in matrix products.

import * as z from 'zod';
import { sum } from '../../core/sum.ts';

const shapes = z.array(z.record(z.string(), z.array(z.number()))).optional();
const events = z.array(
  z.object({
    cat: z.string(),
    name: z.string(),
    dur: z.number(),
    args: z
      .object({ op_name: z.string().optional(), input_type_shape: shapes, output_type_shape: shapes })
      .optional(),
  }),
);
type KernelArguments = z.infer<typeof events>[number]['args'];

/** Averages over the steps after the warm-up. */
export interface StepProfile {
  /** By kind of kernel; 'between kernels' is the rest of a step. */
  readonly milliseconds: Readonly<Record<string, number>>;
  readonly kernels: number;
  /** Multiplications and additions in matrix products. */
  readonly flops: number;
}

const MATRIX_PRODUCTS = 'matrix products';
const KINDS: Readonly<Record<string, readonly string[]>> = {
  [MATRIX_PRODUCTS]: ['MatMul', 'Gemm', 'FusedMatMul', 'FusedGemm'],
  'softmax and normalisation': ['Softmax', 'LogSoftmax', 'LayerNormalization', 'SkipLayerNormalization'],
  'sums over axes': ['ReduceSum', 'ReduceMean', 'ReduceMax', 'ReduceSumSquare'],
  'data movement': [
    ...['Transpose', 'Reshape', 'Concat', 'Split', 'Slice', 'Expand', 'Pad', 'Squeeze', 'Unsqueeze'],
    ...['Gather', 'GatherElements', 'ScatterND', 'ScatterElements', 'Identity', 'Cast', 'Shape'],
  ],
};

const kindOf = (operation: string | undefined): string =>
  Object.keys(KINDS).find(kind => operation !== undefined && KINDS[kind]?.includes(operation)) ??
  'elementwise';

export function stepProfile(json: string, warmUp: number): StepProfile {
  const all = events.parse(JSON.parse(json));
  const steps = all.filter(({ name }) => name === 'SequentialExecutor::Execute');
  const kernels = all.filter(({ cat, name }) => cat === 'Node' && name.endsWith('_kernel_time'));
  const perStep = kernels.length / steps.length;
  const counted = steps.length - warmUp;
  const milliseconds: Record<string, number> = {};
  let flops = 0;
  for (const { dur, args } of kernels.slice(warmUp * perStep)) {
    const kind = kindOf(args?.op_name);
    milliseconds[kind] = (milliseconds[kind] ?? 0) + dur / 1000 / counted;
    if (kind === MATRIX_PRODUCTS) flops += flopsOf(args) / counted;
  }
  const whole = sum(steps.slice(warmUp).map(({ dur }) => dur)) / 1000 / counted;
  const between = whole - sum(Object.values(milliseconds));
  return { milliseconds: { ...milliseconds, 'between kernels': between }, kernels: perStep, flops };
}

/** Twice the product of the dimensions of the result and of the summed dimension. */
function flopsOf(args: KernelArguments): number {
  const [a = [], b = []] = (args?.input_type_shape ?? []).map(input => Object.values(input)[0] ?? []);
  const result = Object.values(args?.output_type_shape?.[0] ?? {})[0] ?? [];
  const count = (dims: readonly number[]) => dims.reduce((product, dim) => product * dim, 1);
  const isBatched = result.length > 2 && b.length > 2;
  const batch = isBatched ? count(result.slice(0, -2)) : 1;
  const rows = isBatched ? count(result.slice(-2, -1)) : count(result.slice(0, -1));
  return (2 * count(result) * count(a)) / batch / rows;
}
