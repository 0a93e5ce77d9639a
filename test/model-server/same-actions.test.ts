// The policy behind the chat protocol takes the same actions as directly: same weights, same seeds, same screens. The client keeps the
// whole conversation, as an agent harness does; the server keeps nothing.

import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { uitars } from '../../runtime/agents/codecs/uitars.ts';
import { blobOf } from '../../runtime/agents/compact/blob.ts';
import { EMPTY_MEMORY, updateMemory } from '../../runtime/agents/compact/episode-memory.ts';
import { encode } from '../../runtime/agents/compact/observation.ts';
import { observeScreen } from '../../runtime/agents/compact/observe-screen.ts';
import { decidingProgram } from '../../runtime/agents/compact/programs.ts';
import { seed, version } from '../../runtime/core/ids.ts';
import { pngOf, pngRows } from '../../runtime/core/png.ts';
import type { Choice, DecisionRequest, Mode, PolicyPool } from '../../runtime/core/policy.ts';
import type { Screen } from '../../runtime/core/screen.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { startOf } from '../../runtime/environments/pocket/getters.ts';
import { POCKET } from '../../runtime/environments/pocket/tasks/suite.ts';
import { parseChatRequest } from '../../runtime/model-server/chat-request.ts';
import { CompactBackend } from '../../runtime/model-server/compact-backend.ts';
import { COORDINATES } from '../../runtime/model-server/observe-conversation.ts';
import { writeScreenPart } from '../../runtime/model-server/screen-part.ts';
import { isRefused } from '../../runtime/rollout/policy-worker.ts';
import { Worker } from '../../runtime/rollout/worker.ts';
import { open, SHAPE, weightsOf } from '../agents/compact/running-policy.ts';
import { screenOf } from '../agents/compact/screens.ts';

const WEIGHTS = { version: version(0), blob: blobOf(weightsOf('serve')) };

async function pool(): Promise<PolicyPool> {
  const worker = new Worker(await open(decidingProgram(SHAPE)), SHAPE.pixels);
  await worker.load(WEIGHTS);
  return {
    async decide(request: DecisionRequest): Promise<Choice> {
      const [answer] = await worker.decide([{ ...request, version: WEIGHTS.version }]);
      if (answer === undefined || isRefused(answer)) throw new Error(answer?.refused ?? 'no answer');
      return answer;
    },
  };
}

const SERVED = { id: 'compact-v0', version: version(0), fingerprint: 'fp', created: 0 };
const VERSIONS = { find: async () => SERVED, cards: async () => [{ id: SERVED.id, created: 0 }] };

const imagePart = ({ pixels }: Screen) => {
  const png = pngOf(pixels, deflateSync(pngRows(pixels)));
  return {
    type: 'image_url',
    image_url: { url: `data:image/png;base64,${Buffer.from(png).toString('base64')}` },
  };
};

const TEMPLATES = POCKET.templates.filter((_, index) => index % 12 === 0);

test.each<Mode>(['a11y_tree', 'screenshot', 'screenshot_a11y_tree'])(
  'in the mode %s every action of an episode is the same, and its probability',
  async mode => {
    const policy = await pool();
    const backend = new CompactBackend({
      ...{ versions: VERSIONS, pool: policy, mode, coordinates: 'ui-tars-1.5', clock: systemClock },
      randomSeed: () => 0,
    });
    for (const { id } of TEMPLATES) {
      const task = POCKET.task(id, POCKET.seed('test', 1));
      const { machine } = startOf(task);
      const messages: unknown[] = [{ role: 'user', content: `## User Instruction\n${task.instruction}` }];
      let memory = EMPTY_MEMORY;
      let screen = screenOf(machine);
      for (let step = 0; step < 6; step++) {
        const observation = observeScreen(screen, task.instruction, mode, memory);
        const direct = await policy.decide({
          ...{ observation: encode(observation), seed: seed(step), temperature: 1, exploration: 0 },
        });
        const { width, height } = screen.pixels;
        const listed = writeScreenPart({ size: { width, height }, elements: screen.elements ?? [] });
        messages.push({
          role: 'user',
          content: [
            ...(mode === 'a11y_tree' ? [] : [imagePart(screen)]),
            ...(mode === 'screenshot' ? [] : [{ type: 'text', text: listed }]),
          ],
        });
        const request = parseChatRequest(
          JSON.stringify({ model: 'compact', messages, temperature: 1, seed: step, logprobs: true }),
        );
        const { tokens } = await backend.complete(request);
        const reply = tokens.map(({ text }) => text).join('');
        const codec = uitars(COORDINATES['ui-tars-1.5']({ width, height }));
        const { actions } = codec.decodeTurn(reply);
        expect(actions, reply).toEqual([direct.action]);
        const sum = tokens.reduce((total, { logProbability }) => total + logProbability, 0);
        const expected = direct.decisions.reduce((total, { logProbability }) => total + logProbability, 0);
        expect(sum).toBeCloseTo(expected, 5);
        messages.push({ role: 'assistant', content: reply });
        if (direct.action.kind === 'finished' || direct.action.kind === 'fail') break;
        machine.perform(direct.action);
        const after = screenOf(machine);
        memory = updateMemory(memory, observation, direct.action, after);
        screen = after;
      }
    }
  },
);
