// A host whose model can decide no more, because its budget is spent or its key is rejected.

import { expect, onTestFinished, test } from 'vitest';
import { COMPACT } from '../../../runtime/agents/compact/network.ts';
import { parseConfig } from '../../../runtime/config/config.ts';
import type { Command } from '../../../runtime/core/command.ts';
import { groupId, orderId, runId, seed, taskId } from '../../../runtime/core/ids.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import type { HttpTransport } from '../../../runtime/endpoints/http-transport.ts';
import { embeddedFabric } from '../../../runtime/fabric/embedded-fabric.ts';
import { Host } from '../../../runtime/run/host/host.ts';
import { genericKind } from '../../../runtime/run/host/host-generic.ts';
import { openModelPolicy } from '../../../runtime/run/host/host-policy-model.ts';
import { errorReply } from '../../doubles/openai/replies.ts';
import { UpdatableServer } from '../../doubles/openai/updatable-server.ts';
import { BUTTON_SUITE, BUTTONS, buttonDesktops } from './button-kind.ts';

const RUN = runId('run');
const ORDERS = 6;

/** Plays the orders, and returns the commands of the host and its reports about the model. Chats get `status` once the host plays. */
async function played({ status, ...limits }: { readonly tokens?: number; readonly status?: number }) {
  const fabric = embeddedFabric();
  const clock = systemClock;
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const reports: string[] = [];
  void (async () => {
    for await (const { event } of fabric.events.listen({ signal: stop.signal }))
      if (event.kind === 'health' && event.thing.startsWith('lab')) reports.push(event.message);
  })();
  const learner = { kind: 'tinker', url: 'http://localhost:9000', base: 'ByteDance-Seed/UI-TARS-1.5-7B' };
  const lab = { profile: 'ui-tars-1.5', model: 'tars', url: 'http://lab:8000/v1', learner };
  const config = parseConfig({
    ...{ agent: 'lab', agents: { lab: { ...lab, limits } } },
    ...{ environments: { kind: 'docker', desktops: 2 }, evaluation: { desktops: 1 }, demonstrations: 0 },
  });
  const server = new UpdatableServer({ kind: 'vllm', clock, latencyMs: 1, loadMs: 1 });
  let isOpen = false;
  const transport: HttpTransport = {
    send: async request =>
      isOpen && status !== undefined && request.url.endsWith('/chat/completions')
        ? errorReply(status, 'no')
        : server.send(request),
    close: () => undefined,
  };
  const host = new Host({
    ...{ run: RUN, config, tasks: BUTTON_SUITE.tasks('train'), shape: COMPACT, isFirst: false },
    ...{ isTrained: true, kind: genericKind(buttonDesktops({ clock }).desktops), fabric, clock },
    policy: await openModelPolicy({
      ...{ run: RUN, config, isTrained: false, environment: {}, clock, signal: stop.signal, transport },
    }),
  });
  const commands: Command[] = [];
  void (async () => {
    for await (const { entry } of fabric.commands.read(0, stop.signal)) commands.push(entry);
  })();
  const orders = Array.from({ length: ORDERS }, (_, number) => ({
    ...{ id: orderId(`order-${number}`), run: RUN, group: groupId('group') },
    instance: { task: taskId(BUTTONS[number % 2]?.name ?? ''), seed: seed(1) },
    ...{ maxSteps: 4, mode: config.mode, purpose: 'train' as const },
  }));
  isOpen = true;
  const running = host.run(stop.signal);
  await Promise.all(orders.map(order => fabric.orders.put(order)));
  const taker = fabric.trajectories.taker();
  const outcomes: string[] = [];
  for (const _ of orders) {
    const taken = await taker.take(AbortSignal.timeout(30_000));
    outcomes.push(taken.item.outcome.kind);
    await taken.acknowledge();
  }
  stop.abort();
  await running;
  return { commands, reports, outcomes };
}

test('a spent budget stops the run once, with its reason', async () => {
  const { commands, reports, outcomes } = await played({ tokens: 1 });
  expect(outcomes).toContain('broken');
  expect(commands).toEqual([{ kind: 'stop', run: RUN }]);
  expect(reports).toEqual([
    expect.stringMatching(/^Training stopped: The budget of 1 tokens is spent .* Then resume the run\.$/),
  ]);
});

test('a key that the server rejects stops the run, and a request that it rejects does not', async () => {
  const { commands, reports } = await played({ status: 401 });
  expect(commands).toEqual([{ kind: 'stop', run: RUN }]);
  expect(reports).toEqual([expect.stringMatching(/^Training stopped: .*401/)]);
  expect(await played({ status: 400 })).toMatchObject({ commands: [], reports: [] });
});
