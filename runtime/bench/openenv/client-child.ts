// A client in a process of its own, which plays without end until it is killed. It prints a line for each step.

import { OpenEnvSocket } from './socket-client.ts';

const [, , url = ''] = process.argv;
const client = await OpenEnvSocket.connect(url);
for (let seed = 0; ; seed++) {
  let { done } = await client.ask({ type: 'reset', data: { seed, observation: 'both' } });
  while (!done) {
    ({ done } = await client.ask({ type: 'step', data: { code: 'pyautogui.click(160, 120)' } }));
    process.stdout.write('.');
  }
}
