// Weights as the bytes that travel between who learns and who decides: all numbers of the one vector, four bytes each, in the order
// of the layout. What they are for is not in them: both sides know the network's shape.

import { bytesOf, dataFromBytes, type Tensor, tensor } from '../graph/tensor.ts';

/** No copy, as these are megabytes: what is published never changes, so whoever publishes a vector leaves it as it is. */
export const blobOf = ({ data }: Tensor): Uint8Array => bytesOf(data);

export function vectorIn(blob: Uint8Array): Tensor {
  const data = dataFromBytes('float32', blob);
  return tensor('float32', [data.length], data);
}
