// Clients of OpenEnv: messages of the WebSocket, actions in them, and JSON-RPC.

import { desktopId } from '../../../../core/ids.ts';
import type { Random } from '../../../../core/rng.ts';
import { systemClock } from '../../../../core/system-clock.ts';
import { PocketDesktop } from '../../../../environments/pocket/desktop.ts';
import { POCKET } from '../../../../environments/pocket/tasks/suite.ts';
import { answerMessage } from '../../../../openenv/answer.ts';
import { answerMcpText } from '../../../../openenv/mcp.ts';
import { OpenEnvSession } from '../../../../openenv/session.ts';
import { type Border, bytesOfText, type OpenBorder, textOf } from '../border.ts';
import { CODE_MARKS, chosen, damagedJsonText, oneIn } from '../damage.ts';

const CODE = "import pyautogui\npyautogui.click(10, 20)\npyautogui.write('a')\npyautogui.hotkey('ctrl', 's')";
const MESSAGES: readonly object[] = [
  { type: 'reset', data: { seed: 3, episode_id: 'e-1', split: 'train', tier: 1, observation: 'text' } },
  { type: 'step', data: { kind: 'click', at: { x: 10, y: 20 } } },
  { type: 'step', data: { kind: 'hotkey', keys: ['ctrl', 's', 'a'], metadata: {} } },
  { type: 'step', data: { kind: 'scroll', at: { x: 1, y: 2 }, direction: 'up', notches: 3 } },
  { type: 'step', data: { kind: 'type', text: 'a' } },
  { type: 'step', data: { code: CODE } },
  { type: 'state' },
  { type: 'mcp', data: { jsonrpc: '2.0', method: 'tools/list', params: {}, id: 1 } },
];
const CODE_PIECES = [
  ...CODE_MARKS,
  ',',
  '=',
  '[',
  '{',
  '#',
  'pyautogui.',
  ' ',
  '0',
  '-',
  '1e99',
  'for i in x:',
];

function openenvInput(random: Random): Uint8Array {
  if (!oneIn(4, random)) return damagedJsonText(chosen(MESSAGES, random), random);
  const at = random.int(CODE.length);
  const piece = chosen(CODE_PIECES, random).repeat(oneIn(4, random) ? random.int(18_000) : 1);
  const code = CODE.slice(0, at) + piece + CODE.slice(oneIn(2, random) ? at : at + random.int(12));
  return bytesOfText(JSON.stringify({ type: 'step', data: { code } }));
}

async function openSessions(): Promise<OpenBorder> {
  const desktop = new PocketDesktop(desktopId('bench-1'));
  let numbers = 0;
  const session = new OpenEnvSession({
    suite: POCKET,
    desktops: { lease: async () => ({ desktop, release: () => undefined }), unavailable: () => undefined },
    ...{ observation: 'text', clock: systemClock },
    drawSeed: () => {
      numbers += 1;
      return numbers;
    },
    newId: () => `episode-${numbers}`,
  });
  return {
    take: async input => {
      const text = textOf(input);
      answerMcpText(text);
      if (session.state().done || session.state().episode_id === null) await session.reset({});
      const reply = await answerMessage(session, text);
      return reply?.type === 'error' ? [reply.data.message] : [];
    },
    close: () => session.close(),
  };
}

export const OPENENV_BORDERS: readonly Border[] = [
  { name: 'openenv', inputs: 50_000, make: openenvInput, open: openSessions },
];
