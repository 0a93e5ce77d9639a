// The courier of questions: nothing of a question stays at signals that live longer.

import { getEventListeners } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { MemoryBlobs } from '../../../runtime/blobs/memory-blobs.ts';
import type { ModelAnswer, ModelQuestion } from '../../../runtime/core/model-question.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { EmbeddedQueue } from '../../../runtime/fabric/embedded/queue.ts';
import { ValueCodec } from '../../../runtime/fabric/nats/codec.ts';
import { carryQuestions } from '../../../runtime/run/joined/question-courier.ts';

test('answered questions leave nothing behind at the signal of the courier', async () => {
  const any = vi.spyOn(AbortSignal, 'any').mockImplementation(() => {
    throw new Error('On Node 20 it leaves an entry at each signal.');
  });
  onTestFinished(() => any.mockRestore());
  const fabric = {
    questions: new EmbeddedQueue<ModelQuestion>('questions'),
    answers: new EmbeddedQueue<ModelAnswer>('answers'),
  };
  const failure = { boundary: 'provider', thing: 'the model', message: 'It is away.' } as const;
  const sampling = { temperature: 0, topP: 1, topK: -1, maxTokens: 8, seed: 1 };
  const codec = new ValueCodec(undefined);
  const membership = {
    blobs: new MemoryBlobs(),
    post: async (_: string, bytes: Uint8Array) => {
      const question = (await codec.decode(bytes)) as ModelQuestion;
      return (await codec.encode({ question: question.id, failure })).bytes;
    },
  };
  const stop = new AbortController();
  const carrying = carryQuestions({ fabric, membership, clock: new VirtualClock() }, stop.signal);
  const answers = fabric.answers.taker();
  const listeners = () => getEventListeners(stop.signal, 'abort').length;
  await vi.waitUntil(() => listeners() > 0);
  const idle = listeners();
  for (const id of ['q1', 'q2', 'q3']) {
    const ask = { kind: 'complete', messages: [], images: {}, sampling, session: 's1' } as const;
    await fabric.questions.put({ id, ask });
    const { item, acknowledge } = await answers.take();
    expect(item).toEqual({ question: id, failure });
    await acknowledge();
  }
  await expect.poll(listeners).toBe(idle);
  stop.abort();
  await carrying;
});
