import { nn, numpy as np } from '@jax-js/jax';
import { type Batch, network, objective } from './rival.ts';

// jax-js counts references: passing an array to anything gives it away, and `.ref` is a further claim on it.
// So below each array is given away at its last use, and every earlier use takes a `.ref`.

/** A type alias and not an interface, because only an alias is assignable to the library's tree of arrays. */
export type Arrays = { [name: string]: np.Array };

const { patches, words, letters, letterWidth, tokens, patchSize, width, heads, headSize, kinds } = network;

export function upload(batch: Batch): Arrays {
  const { size } = batch;
  const floats = (data: Float32Array, shape: number[]): np.Array => np.array(data, { shape });
  const integers = (data: Int32Array, shape: number[]): np.Array =>
    np.array(data, { shape, dtype: np.int32 });
  return {
    patches: floats(batch.patches, [size, patches, patchSize]),
    place: integers(batch.place, [size * patches]),
    words: integers(batch.words, [size * words * letters]),
    kind: integers(batch.kind, [size]),
    pointer: integers(batch.pointer, [size]),
    oldKind: floats(batch.oldKind, [size]),
    oldPointer: floats(batch.oldPointer, [size]),
    advantage: floats(batch.advantage, [size]),
  };
}

export function take(arrays: Arrays, name: string): np.Array {
  const array = arrays[name];
  if (array === undefined) throw new Error(`There is no array named ${name}.`);
  return array;
}

function embed(table: np.Array, indices: np.Array, count: number): np.Array {
  return np.matmul(nn.oneHot(indices, count), table);
}

function linear(x: np.Array, w: np.Array, b: np.Array): np.Array {
  return np.matmul(x, w).add(b);
}

function layerNorm(x: np.Array, gain: np.Array, bias: np.Array): np.Array {
  const centred = x.ref.sub(np.mean(x, -1, { keepdims: true }));
  const variance = np.mean(np.square(centred.ref), -1, { keepdims: true });
  return centred
    .div(np.sqrt(variance.add(network.normEpsilon)))
    .mul(gain)
    .add(bias);
}

/** Three products in place of one: to split their joint result costs more, above all in the backward pass. */
function projections(x: np.Array, w: np.Array, b: np.Array): [np.Array, np.Array, np.Array] {
  const [wq, wk, wv] = np.split(w, 3, 1);
  const [bq, bk, bv] = np.split(b, 3);
  if (!wq || !wk || !wv || !bq || !bk || !bv) throw new Error('The weights did not split in three.');
  return [linear(x.ref, wq, bq), linear(x.ref, wk, bk), linear(x, wv, bv)];
}

function attention([q, k, v]: [np.Array, np.Array, np.Array], size: number): np.Array {
  const split = (x: np.Array): np.Array => x.reshape([size, tokens, heads, headSize]);
  const queries = split(q)
    .transpose([0, 2, 1, 3])
    .mul(1 / Math.sqrt(headSize));
  const scores = np.matmul(queries, split(k).transpose([0, 2, 3, 1]));
  const mixed = np.matmul(nn.softmax(scores), split(v).transpose([0, 2, 1, 3]));
  return mixed.transpose([0, 2, 1, 3]).reshape([size, tokens, width]);
}

function block(x: np.Array, weights: Arrays, prefix: string, size: number): np.Array {
  const of = (name: string): np.Array => take(weights, `${prefix}.${name}`);
  const h1 = layerNorm(x.ref, of('norm1.g'), of('norm1.b'));
  const attended = attention(projections(h1, of('qkv.w'), of('qkv.b')), size);
  const mixed = x.add(linear(attended, of('out.w'), of('out.b')));
  const h2 = layerNorm(mixed.ref, of('norm2.g'), of('norm2.b'));
  const up = nn.relu(linear(h2, of('up.w'), of('up.b')));
  return mixed.add(linear(up, of('down.w'), of('down.b')));
}

/** The logits of both heads: [B, 8] and [B, 80]. */
function forward(weights: Arrays, inputs: Arrays, size: number): [np.Array, np.Array] {
  const w = (name: string): np.Array => take(weights, name);
  const places = embed(w('place.table'), take(inputs, 'place'), network.places);
  const patch = linear(take(inputs, 'patches'), w('patch.w'), w('patch.b')).add(
    places.reshape([size, patches, width]),
  );
  const spelled = embed(w('char.table'), take(inputs, 'words'), network.characters);
  const word = linear(spelled.reshape([size, words, letters * letterWidth]), w('word.w'), w('word.b'));
  let x = np.concatenate([patch, word], 1);
  for (let n = 0; n < network.blocks; n++) x = block(x, weights, `block${n}`, size);
  x = layerNorm(x, w('norm.g'), w('norm.b'));
  const kind = linear(np.mean(x.ref, 1), w('kind.w'), w('kind.b'));
  const [seen, asked] = np.split(x, [patches], 1);
  if (seen === undefined || asked === undefined) throw new Error('The tokens did not split in two.');
  const query = linear(np.mean(asked, 1), w('query.w'), w('query.b')).mul(1 / Math.sqrt(width));
  const keys = np.matmul(seen, w('key.w'));
  const pointer = np.matmul(keys, query.reshape([size, width, 1])).reshape([size, patches]);
  return [kind, pointer];
}

/** What one head adds to the objective, averaged over the batch. */
function gain(
  logits: np.Array,
  index: np.Array,
  old: np.Array,
  advantage: np.Array,
  choices: number,
): np.Array {
  const { clipLow, clipHigh, ratioLimit, entropy } = objective;
  const logp = nn.logSoftmax(logits);
  const taken = np.sum(logp.ref.mul(nn.oneHot(index, choices)), -1);
  const ratio = np.exp(np.clip(taken.sub(old), -ratioLimit, ratioLimit));
  const clipped = np.clip(ratio.ref, clipLow, clipHigh);
  const surrogate = np.minimum(ratio.mul(advantage.ref), clipped.mul(advantage));
  // The sum over choices of p·log p is minus the entropy.
  const order = np.sum(np.exp(logp.ref).mul(logp), -1);
  return np.mean(surrogate.sub(order.mul(entropy / Math.log(choices))));
}

export function loss(weights: Arrays, inputs: Arrays): np.Array {
  const advantage = take(inputs, 'advantage');
  const [size = 0] = advantage.shape;
  const [kind, pointer] = forward(weights, inputs, size);
  const first = gain(kind, take(inputs, 'kind'), take(inputs, 'oldKind'), advantage.ref, kinds);
  const second = gain(pointer, take(inputs, 'pointer'), take(inputs, 'oldPointer'), advantage, patches);
  return first.add(second).mul(-0.5);
}
