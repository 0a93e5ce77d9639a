// The kinds of results that a Tinker server keeps until they are retrieved, with the reader of each encoding.

import type * as z from 'zod';
import { createModelReply, doneReply, optimStepReply, savedReply } from './wire/control.ts';
import { checked, resultFromJson, samplesFromJson } from './wire/json.ts';
import type { ForwardBackwardResult, SampleResult } from './wire/messages.ts';
import { decodeResult } from './wire/protobuf-results.ts';
import { decodeSamples } from './wire/protobuf-samples.ts';

export interface ResultKind<T> {
  readonly fromJson: (value: unknown) => T;
  /** Absent: the result is JSON alone. */
  readonly fromProtobuf?: (bytes: Uint8Array) => T;
}

const jsonAlone = <T>(schema: z.ZodType<T>, what: string): ResultKind<T> => ({
  fromJson: value => checked(schema, value, what),
});

export const PASS: ResultKind<ForwardBackwardResult> = {
  fromJson: resultFromJson,
  fromProtobuf: decodeResult,
};
export const SAMPLES: ResultKind<SampleResult> = { fromJson: samplesFromJson, fromProtobuf: decodeSamples };
export const STEP = jsonAlone(optimStepReply, 'result of an optimiser step');
export const SAVED = jsonAlone(savedReply, 'result of saving weights');
export const MODEL = jsonAlone(createModelReply, 'result of making a model');
export const DONE = jsonAlone(doneReply, 'result');
