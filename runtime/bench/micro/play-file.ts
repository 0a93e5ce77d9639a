// Plays test instances with weights in a file, through a chat server of its own.

import { MICRO_PROFILE } from '../../agents/micro/profile.ts';
import { ModelAgent } from '../../agents/model/agent.ts';
import { taskId } from '../../core/ids.ts';
import type { Mode } from '../../core/policy.ts';
import { seeded } from '../../core/rng.ts';
import { systemClock } from '../../core/system-clock.ts';
import { POCKET } from '../../environments/pocket/tasks/suite.ts';
import { startMicroServer } from '../../model-server/micro/server.ts';
import type { Report } from '../report.ts';
import { entry, withTemporaryFolder } from '../training.ts';
import { httpChat } from './http-chat.ts';
import { type PlayedInstance, playAgent } from './play-agent.ts';

const KEY = 'the-key-of-this-benchmark';

export const playFile = (
  file: string,
  mode: Mode,
  tasks: readonly string[],
  instances: number,
  report: Report,
): Promise<readonly PlayedInstance[]> =>
  withTemporaryFolder(async folder => {
    const server = await startMicroServer({
      ...{ file, folder, name: 'micro', port: 0, key: KEY, engineEntry: entry('engine'), clock: systemClock },
      notice: text => report.say(`    ${text}`),
    });
    try {
      const chat = httpChat(server.url, KEY, 'micro');
      const agent = new ModelAgent({ id: 'micro', profile: MICRO_PROFILE, chat });
      const played: PlayedInstance[] = [];
      for (const task of tasks.map(taskId))
        for (let index = 0; index < instances; index++) {
          const instance = { task, seed: POCKET.seed('test', index) };
          played.push(await playAgent(agent, instance, mode, seeded(`${task}/${index}`)));
        }
      return played;
    } finally {
      await server.close();
    }
  });
