// The servers of a model in a host: what happened to them before the host listened.

import { expect, test } from 'vitest';
import { parseConfig } from '../../../runtime/config/config.ts';
import { runId } from '../../../runtime/core/ids.ts';
import { ProcessorTime } from '../../../runtime/core/processor-time.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import type { HttpTransport } from '../../../runtime/endpoints/http-transport.ts';
import { openModelPolicy } from '../../../runtime/run/host/host-policy-model.ts';
import { UpdatableServer } from '../../doubles/openai/updatable-server.ts';
import { passUntil } from '../../pass-until.ts';

test('a server that did not answer when the policy was opened is reported to the host', async () => {
  const clock = new VirtualClock();
  const server = new UpdatableServer({ kind: 'vllm', clock });
  const transport: HttpTransport = {
    send: async request => {
      if (request.url.startsWith('http://a/')) throw new Error('connect ECONNREFUSED');
      return server.send(request);
    },
    close: () => undefined,
  };
  const learner = { kind: 'tinker', url: 'http://localhost:9000', base: 'ByteDance-Seed/UI-TARS-1.5-7B' };
  const endpoints = [{ url: 'http://a/v1' }, { url: 'http://b/v1' }];
  const lab = { profile: 'ui-tars-1.5', model: 'tars', endpoints, learner };
  const opening = openModelPolicy({
    ...{ run: runId('run'), config: parseConfig({ agent: 'lab', agents: { lab } }), isTrained: false },
    ...{ environment: {}, clock, signal: new AbortController().signal, transport },
  });
  let isOpen = false;
  void opening.then(() => {
    isOpen = true;
  });
  await passUntil(clock, () => isOpen);
  const open = await opening;
  const reports: unknown[] = [];
  const policy = open({
    time: new ProcessorTime(),
    health: (...report) => reports.push(report),
    lost: () => undefined,
  });
  expect(reports).toEqual([['lab.1', false, expect.stringContaining('http://a/v1')]]);
  expect(policy.servers?.().servers).toMatchObject([{ name: 'lab.1', phase: 'out' }, { phase: 'serving' }]);
  await policy.close();
});
