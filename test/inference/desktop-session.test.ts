// Real desktops are opened for the agent that plays, which may be another one than the agent that trains.

import { expect, test } from 'vitest';
import { type Config, parseConfig } from '../../runtime/config/config.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { openDesktopSession } from '../../runtime/inference/desktop-session.ts';

const TOY = { profile: 'generic', mode: 'a11y_tree', url: 'http://127.0.0.1:9', model: 'toy' };

test('the scale of screens and the elements follow the agent that plays', async () => {
  const opened: Config[] = [];
  const open = (options: { readonly config: Config }) => {
    opened.push(options.config);
    return Promise.reject(new Error('no engine'));
  };
  for (const [trained, agent, mode] of [
    ['compact', 'toy', 'a11y_tree'],
    ['toy', 'compact', 'screenshot'],
  ] as const) {
    const config = parseConfig({
      ...{ agents: { toy: TOY }, agent: trained },
      environments: { kind: 'docker', desktops: 3 },
    });
    const about = { run: 'attempt', config, clock: systemClock, health: () => undefined };
    await expect(openDesktopSession({ ...about, agent, mode }, open)).rejects.toThrow('no engine');
    expect(opened.pop()).toEqual({ ...config, agent, mode });
  }
});
