// Weights as bytes between trainer and inference: the flat float32 vector in the order of the layout. The bytes do not contain the
// network's shape; both sides know it.

import { bytesOf, dataFromBytes, type Tensor, tensor } from '../../graph/tensor.ts';

/** A view, not a copy (megabytes): the publisher must not change the vector afterwards. */
export const blobOf = ({ data }: Tensor): Uint8Array => bytesOf(data);

export function vectorIn(blob: Uint8Array): Tensor {
  const data = dataFromBytes('float32', blob);
  return tensor('float32', [data.length], data);
}
