// The tasks of a folder of the user, for episodes that were played: none is tried again, and a faulty file hides no other task, since
// users edit the files after a training.

import { messageOf } from '../core/errors.ts';
import { templateFromFile } from '../environments/pocket/tasks/from-folder.ts';
import type { PocketTemplate } from '../environments/pocket/tasks/template.ts';
import { jsonOf, taskFilesIn } from '../environments/task-folder.ts';

interface OwnTemplates {
  readonly templates: readonly PocketTemplate[];
  /** One reason for each file without a task. */
  readonly faults: readonly string[];
}

/** Rejects if the folder cannot be read. */
export async function ownTemplatesIn(folder: string): Promise<OwnTemplates> {
  const files = await taskFilesIn(folder);
  const each = await Promise.allSettled(files.map(async file => templateFromFile(await jsonOf(file), file)));
  return {
    templates: each.flatMap(result => (result.status === 'fulfilled' ? [result.value] : [])),
    faults: each.flatMap(result => (result.status === 'rejected' ? [messageOf(result.reason)] : [])),
  };
}
