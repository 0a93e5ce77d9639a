// The protobuf encoding of samples, for both sides. Numbers that the server did not compute are NaN there, and null here.

import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { at } from '../../../core/at.ts';
import { readFields, sized, varint, writeBytes, writeInteger, writeMessage } from './fields.ts';
import { type SampleResult, type TopTokens, WireError, type WireSequence } from './messages.ts';
import { float32Bytes, int32Bytes, readNumbers } from './numbers.ts';

export function encodeSamples({ sequences, promptLogprobs, topPromptLogprobs }: SampleResult): Uint8Array {
  const writer = new BinaryWriter();
  for (const sequence of sequences) writeMessage(writer, 1, () => writeSequence(writer, sequence));
  if (promptLogprobs !== undefined)
    writeBytes(writer, 2, float32Bytes(promptLogprobs.map(value => value ?? Number.NaN)));
  if (topPromptLogprobs !== undefined) writeMessage(writer, 3, () => writeTop(writer, topPromptLogprobs));
  return writer.finish();
}

export function decodeSamples(bytes: Uint8Array): SampleResult {
  const sequences: WireSequence[] = [];
  const rest: {
    promptLogprobs?: readonly (number | null)[];
    topPromptLogprobs?: readonly (TopTokens | null)[];
  } = {};
  readFields(bytes, {
    [sized(1)]: reader => {
      sequences.push(readSequence(reader.bytes()));
    },
    [sized(2)]: reader => {
      const values = readNumbers('float32', reader.bytes());
      if (values.length > 0) rest.promptLogprobs = values.map(value => (Number.isNaN(value) ? null : value));
    },
    [sized(3)]: reader => {
      rest.topPromptLogprobs = readTop(reader.bytes());
    },
  });
  return { sequences, ...rest };
}

function writeSequence(writer: BinaryWriter, sequence: WireSequence): void {
  const { stopReason, tokens, logprobs, topLogprobs } = sequence;
  writeInteger(writer, 1, stopReason === 'stop' ? 0 : 1);
  if (tokens.length > 0) writeBytes(writer, 2, int32Bytes(tokens));
  if (logprobs !== undefined) writeBytes(writer, 3, float32Bytes(logprobs));
  if (topLogprobs !== undefined) writeMessage(writer, 4, () => writeTop(writer, topLogprobs));
}

function readSequence(bytes: Uint8Array): WireSequence {
  const found: { reason: number; tokens: readonly number[] } = { reason: 0, tokens: [] };
  const rest: { logprobs?: readonly number[]; topLogprobs?: readonly (TopTokens | null)[] } = {};
  readFields(bytes, {
    [varint(1)]: reader => {
      found.reason = reader.int32();
    },
    [sized(2)]: reader => {
      found.tokens = readNumbers('int32', reader.bytes());
    },
    [sized(3)]: reader => {
      const values = readNumbers('float32', reader.bytes());
      if (values.length > 0) rest.logprobs = values;
    },
    [sized(4)]: reader => {
      rest.topLogprobs = readTop(reader.bytes());
    },
  });
  if (found.reason !== 0 && found.reason !== 1)
    throw new WireError(
      `A sample ended for the unknown reason ${found.reason}. Known are 0 (stop) and 1 (length).`,
    );
  return { stopReason: found.reason === 0 ? 'stop' : 'length', tokens: found.tokens, ...rest };
}

/** Fills places without tokens in the matrices. */
const NO_TOKEN = 0;
const NO_LOG_PROBABILITY = -99_999;

function writeTop(writer: BinaryWriter, places: readonly (TopTokens | null)[]): void {
  const width = Math.max(0, ...places.map(place => place?.length ?? 0));
  const cells = places.flatMap(place =>
    Array.from({ length: width }, (_, index) => place?.[index] ?? ([NO_TOKEN, NO_LOG_PROBABILITY] as const)),
  );
  writeBytes(writer, 1, int32Bytes(cells.map(([token]) => token)));
  writeBytes(writer, 2, float32Bytes(cells.map(([, logProbability]) => logProbability)));
  if (width > 0) writer.tag(3, WireType.Varint).uint32(width);
  if (places.length > 0) writer.tag(4, WireType.Varint).uint32(places.length);
}

function readTop(bytes: Uint8Array): readonly (TopTokens | null)[] {
  const found: {
    tokens: readonly number[];
    logProbabilities: readonly number[];
    width: number;
    places: number;
  } = {
    ...{ tokens: [], logProbabilities: [], width: 0, places: 0 },
  };
  readFields(bytes, {
    [sized(1)]: reader => {
      found.tokens = readNumbers('int32', reader.bytes());
    },
    [sized(2)]: reader => {
      found.logProbabilities = readNumbers('float32', reader.bytes());
    },
    [varint(3)]: reader => {
      found.width = reader.uint32();
    },
    [varint(4)]: reader => {
      found.places = reader.uint32();
    },
  });
  const { tokens, logProbabilities, width, places } = found;
  if (tokens.length !== width * places || logProbabilities.length !== width * places)
    throw new WireError(
      `${places} places with ${width} tokens each have ${tokens.length} tokens and ${logProbabilities.length} log-probabilities.`,
    );
  return Array.from({ length: places }, (_, place) => {
    const cells = Array.from({ length: width }, (_, index) => {
      const cell = place * width + index;
      return [at(tokens, cell), at(logProbabilities, cell)] as const;
    });
    const filled = cells.filter(([, logProbability]) => logProbability !== NO_LOG_PROBABILITY);
    return filled.length === 0 ? null : filled;
  });
}
