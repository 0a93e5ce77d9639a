// Requests of the official SDK that are JSON alone, as a server reads them.

import { expect, test } from 'vitest';
import * as z from 'zod';
import * as control from '../../../runtime/learner/tinker/wire/control.ts';
import { GOLDEN } from './golden.ts';

const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  createSessionRequest: control.createSessionRequest,
  sessionHeartbeatRequest: control.sessionHeartbeatRequest,
  createModelRequest: control.createModelRequest,
  optimStepRequest: control.optimStepRequest,
  saveWeightsRequest: control.saveWeightsRequest,
  saveWeightsForSamplerRequest: control.saveWeightsForSamplerRequest,
  loadWeightsRequest: control.loadWeightsRequest,
  createSamplingSessionRequest: control.createSamplingSessionRequest,
  sampleRequest: control.sampleRequest,
  retrieveFutureRequest: control.retrieveFutureRequest,
  modelRequest: control.modelRequest,
};

const fields = z.record(z.string(), z.unknown());

test('every request of the SDK has a schema', () => {
  const requests = GOLDEN.filter(({ kind }) => kind === 'control').map(({ name }) => name);
  expect(requests.toSorted()).toEqual(Object.keys(SCHEMAS).toSorted());
});

test.each(GOLDEN.flatMap(each => (each.kind === 'control' ? [each] : [])))(
  '$name is read',
  ({ name, json }) => {
    const sent = fields.parse(json);
    // The chunks of a prompt become messages: wire.test.ts has their test.
    const { prompt, ...read } = fields.parse(SCHEMAS[name]?.parse(json));
    expect(prompt === undefined).toBe(sent['prompt'] === undefined);
    expect(sent).toMatchObject(read);
    expect(Object.keys(read).length).toBeGreaterThan(0);
  },
);

test('an optimiser step has the defaults of the SDK', () => {
  expect(control.optimStepRequest.parse({ model_id: 'm', adam_params: {} }).adam_params).toEqual({
    ...{ learning_rate: 1e-4, beta1: 0.9, beta2: 0.95, eps: 1e-12 },
    ...{ weight_decay: 0, grad_clip_norm: 0 },
  });
  const negative = { model_id: 'm', adam_params: { learning_rate: -1 } };
  expect(control.optimStepRequest.safeParse(negative).success).toBe(false);
});
