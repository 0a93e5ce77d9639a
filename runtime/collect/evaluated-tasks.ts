// The tasks that an evaluation with a configuration can play.

import type { Config } from '../config/config.ts';
import { folderOfTask } from '../environments/suite.ts';
import type { EvaluatedTasks } from '../protocol/daemon/collection.ts';
import { openSuite } from '../run/suite.ts';

/** Rejects when the task files of the configuration cannot be read. */
export async function evaluatedTasks(config: Config): Promise<EvaluatedTasks> {
  const { templates } = await openSuite(config);
  const { files } = config.suite;
  return {
    kind: config.environments.kind,
    ...(files !== undefined && { files }),
    tasks: templates.map(template => {
      const { id, tier, unseen, file } = template;
      return {
        ...{ task: id, tier, split: unseen ? 'unseen' : 'test' },
        // Built-in tasks have no file that a user could open.
        ...(file !== undefined && folderOfTask(template) !== undefined && { file }),
      };
    }),
  };
}
