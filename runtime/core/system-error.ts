// Explains an error of the operating system in three parts: what failed, on which file, and what to do next.

/** Free space that a run needs to start. */
export const MIN_FREE_MB = 200;

type Explanation = readonly [why: string, remedy: string];

/** Concern the disk or the process, so the message leaves out the path: equal errors have equal messages. */
const WITHOUT_PATH: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'EIO']);

const NO_ACCESS: Explanation = [
  'this user has no permission',
  'Change the permissions, or use another folder.',
];
const NO_SPACE: Explanation = ['the disk is full', `Free at least ${MIN_FREE_MB} MB.`];

const EXPLANATIONS: ReadonlyMap<unknown, Explanation> = new Map<unknown, Explanation>([
  ['ENOENT', ['it does not exist', 'Check the path.']],
  ['EISDIR', ['it is a folder', 'Name a file, or move the folder away.']],
  ['ENOTDIR', ['a part of the path is a file', 'Name a folder, or move the file away.']],
  ['EEXIST', ['it exists already', 'Move it away, or choose another name.']],
  ['EACCES', NO_ACCESS],
  ['EPERM', NO_ACCESS],
  ['EROFS', ['the disk is read-only', 'Use a folder on a writable disk.']],
  ['ENOSPC', NO_SPACE],
  ['EDQUOT', ['the disk quota of this user is used up', `Free at least ${MIN_FREE_MB} MB.`]],
  ['EMFILE', ['this process has too many open files', "Raise the limit with 'ulimit -n'."]],
  ['ENAMETOOLONG', ['the name is too long', 'Choose a shorter one.']],
  ['EIO', ['the disk failed', 'Check the disk.']],
]);

/** In words, where they are not the name of the system call. */
const ACTIONS: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  ['stat', 'examine'],
  ['unlink', 'delete'],
  ['copyfile', 'copy'],
  ['mkdir', 'create the folder'],
  ['scandir', 'list the folder'],
  ['rmdir', 'delete the folder'],
]);

/** Of sockets. Most explanations are about files. */
const SOCKET_CALLS: ReadonlySet<unknown> = new Set(['connect', 'listen', 'bind']);

/** Undefined for any other error. */
export function explainSystemError(error: Error): string | undefined {
  if (error instanceof RangeError && error.message.startsWith('Maximum call stack'))
    return 'A value is nested too deeply to be processed. Reduce its nesting.';
  const explanation = 'code' in error ? EXPLANATIONS.get(error.code) : undefined;
  if (explanation === undefined || !('code' in error) || !('syscall' in error)) return undefined;
  const isOfSocket = 'address' in error || SOCKET_CALLS.has(error.syscall);
  if (isOfSocket && error.code !== 'EMFILE') return undefined;
  const [why, remedy] = explanation;
  const action = ACTIONS.get(error.syscall) ?? error.syscall;
  const hasPath = 'path' in error && typeof error.path === 'string' && !WITHOUT_PATH.has(error.code);
  const subject = hasPath ? ` '${error.path}'` : '';
  return `Cannot ${action}${subject}: ${why} (${error.code}). ${remedy}`;
}
