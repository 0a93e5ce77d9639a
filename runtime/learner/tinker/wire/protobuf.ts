// The protobuf encoding of requests to train, for both sides. The numbers of the fields are those of the package `tinker_public` in
// SDK 0.38. protobuf-results.ts has the replies.

import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import {
  fixed64,
  readEntry,
  readFields,
  sized,
  varint,
  writeBytes,
  writeInteger,
  writeMap,
  writeMessage,
  writeText,
} from './fields.ts';
import {
  type ForwardBackward,
  IMAGE_FORMATS,
  type WireChunk,
  type WireDatum,
  WireError,
  type WireImageFormat,
  type WireTensor,
} from './messages.ts';
import { int32Bytes, readNumbers } from './numbers.ts';
import { readTensor, writeTensor } from './tensor.ts';

export function encodeForwardBackward(request: ForwardBackward): Uint8Array {
  const writer = new BinaryWriter();
  const { modelId, seqId = 0, data, lossFn, lossFnConfig = {}, forwardOnly } = request;
  writeText(writer, 1, modelId);
  writeInteger(writer, 2, seqId);
  for (const datum of data) writeMessage(writer, 3, () => writeDatum(writer, datum));
  writeText(writer, 4, lossFn);
  // Servers before SDK 0.38 read numbers from field 5; texts exist in field 7 alone.
  const numbers = Object.entries(lossFnConfig).filter(isNumeric);
  writeMap(writer, 5, Object.fromEntries(numbers), value => writer.tag(2, WireType.Bit64).double(value));
  if (forwardOnly) writer.tag(6, WireType.Varint).bool(true);
  writeMap(writer, 7, lossFnConfig, value =>
    writeMessage(writer, 2, () => {
      if (typeof value === 'number') writer.tag(1, WireType.Bit64).double(value);
      else writer.tag(2, WireType.LengthDelimited).string(value);
    }),
  );
  return writer.finish();
}

const isNumeric = (entry: [string, number | string]): entry is [string, number] =>
  typeof entry[1] === 'number';

export function decodeForwardBackward(bytes: Uint8Array): ForwardBackward {
  const request = { modelId: '', seqId: 0, lossFn: '', forwardOnly: false };
  const data: WireDatum[] = [];
  const [numbers, config] = [new Map<string, number | string>(), new Map<string, number | string>()];
  readFields(bytes, {
    [sized(1)]: reader => {
      request.modelId = reader.string();
    },
    [varint(2)]: reader => {
      request.seqId = reader.int32();
    },
    [sized(3)]: reader => {
      data.push(readDatum(reader.bytes()));
    },
    [sized(4)]: reader => {
      request.lossFn = reader.string();
    },
    [sized(5)]: reader => {
      const { name, value = 0 } = readEntry(reader.bytes(), fixed64, entry => entry.double());
      numbers.set(name, value);
    },
    [varint(6)]: reader => {
      request.forwardOnly = reader.bool();
    },
    [sized(7)]: reader => {
      const { name, value = 0 } = readEntry(reader.bytes(), sized, entry => readConfigValue(entry.bytes()));
      config.set(name, value);
    },
  });
  const lossFnConfig = config.size > 0 ? config : numbers;
  return {
    ...request,
    data,
    ...(lossFnConfig.size > 0 && { lossFnConfig: Object.fromEntries(lossFnConfig) }),
  };
}

function readConfigValue(bytes: Uint8Array): number | string {
  let value: number | string = 0;
  readFields(bytes, {
    [fixed64(1)]: reader => {
      value = reader.double();
    },
    [sized(2)]: reader => {
      value = reader.string();
    },
  });
  return value;
}

function writeDatum(writer: BinaryWriter, { input, lossInputs }: WireDatum): void {
  for (const chunk of input) writeMessage(writer, 1, () => writeChunk(writer, chunk));
  writeMap(writer, 2, lossInputs, tensor => writeMessage(writer, 2, () => writeTensor(writer, tensor)));
}

function readDatum(bytes: Uint8Array): WireDatum {
  const input: WireChunk[] = [];
  const lossInputs: [string, WireTensor][] = [];
  readFields(bytes, {
    [sized(1)]: reader => {
      input.push(readChunk(reader.bytes()));
    },
    [sized(2)]: reader => {
      const { name, value } = readEntry(reader.bytes(), sized, entry => readTensor(entry.bytes()));
      if (value !== undefined) lossInputs.push([name, value]);
    },
  });
  return { input, lossInputs: Object.fromEntries(lossInputs) };
}

function writeChunk(writer: BinaryWriter, chunk: WireChunk): void {
  if (chunk.kind === 'pointer')
    throw new WireError(
      `The image at ${chunk.location} is a pointer, which protobuf cannot encode. Send its bytes, or send JSON.`,
    );
  if (chunk.kind === 'text') {
    writeMessage(writer, 1, () => {
      if (chunk.tokens.length > 0) writeBytes(writer, 1, int32Bytes(chunk.tokens));
    });
    return;
  }
  writeMessage(writer, 2, () => {
    if (chunk.data.byteLength > 0) writeBytes(writer, 1, chunk.data);
    writeText(writer, 2, chunk.format);
    if (chunk.expectedTokens !== undefined) writer.tag(3, WireType.Varint).int32(chunk.expectedTokens);
  });
}

function readChunk(bytes: Uint8Array): WireChunk {
  const found: WireChunk[] = [];
  readFields(bytes, {
    [sized(1)]: reader => {
      found.push(readText(reader.bytes()));
    },
    [sized(2)]: reader => {
      found.push(readImage(reader.bytes()));
    },
    [sized(3)]: () => {
      throw new WireError('A datum contains audio, which Dartboard does not read. Send text and images.');
    },
  });
  const chunk = found.at(-1);
  if (chunk === undefined) throw new WireError('A datum has an empty chunk. Send text or an image in it.');
  return chunk;
}

function readText(bytes: Uint8Array): WireChunk {
  let tokens: readonly number[] = [];
  readFields(bytes, {
    [sized(1)]: reader => {
      tokens = readNumbers('int32', reader.bytes());
    },
  });
  return { kind: 'text', tokens };
}

function readImage(bytes: Uint8Array): WireChunk {
  const image: { data: Uint8Array; format: string; expectedTokens?: number } = {
    data: new Uint8Array(),
    format: '',
  };
  readFields(bytes, {
    [sized(1)]: reader => {
      image.data = reader.bytes();
    },
    [sized(2)]: reader => {
      image.format = reader.string();
    },
    [varint(3)]: reader => {
      image.expectedTokens = reader.int32();
    },
    [sized(4)]: () => {
      throw new WireError('An image has other dimensions than its file. Resize the image, then send it.');
    },
  });
  return { kind: 'image', ...image, format: imageFormat(image.format) };
}

function imageFormat(text: string): WireImageFormat {
  const format = IMAGE_FORMATS.find(each => each === text);
  if (format === undefined)
    throw new WireError(`An image has the format '${text}'. Send ${IMAGE_FORMATS.join(' or ')}.`);
  return format;
}
