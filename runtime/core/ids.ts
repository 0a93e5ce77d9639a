// The names by which things are told apart. Each kind of id has its own type, so that a task's id cannot be passed
// where a trajectory's is meant. A constructor checks and brands; it never invents an id: whoever makes a thing names it.

declare const brand: unique symbol;

export type Brand<Base, Name extends string> = Base & { readonly [brand]: Name };

export type TaskId = Brand<string, 'task'>;
export type RunId = Brand<string, 'run'>;
export type OrderId = Brand<string, 'order'>;
export type GroupId = Brand<string, 'group'>;
export type TrajectoryId = Brand<string, 'trajectory'>;
export type BatchId = Brand<string, 'batch'>;
export type DesktopId = Brand<string, 'desktop'>;
export type WorkerId = Brand<string, 'worker'>;

/** Number of a set of published weights: 0 is what a run starts from, each publication adds one. */
export type Version = Brand<number, 'version'>;

/** What makes one instance of a task differ from another. 32 bits, so that it survives JSON and every generator. */
export type Seed = Brand<number, 'seed'>;

/** Task ids come from files that we did not write and must load unchanged, so almost anything goes. */
export const taskId = (value: string): TaskId => {
  if (value.trim() === '' || value.length > 200 || hasControlCharacter(value)) {
    throw new RangeError(
      `${shown(value)} is no task id: give 1 to 200 characters, not all blank, no control characters`,
    );
  }
  return value as TaskId;
};

export const runId = (value: string): RunId => fileSafe('run', value);
export const orderId = (value: string): OrderId => fileSafe('order', value);
export const groupId = (value: string): GroupId => fileSafe('group', value);
export const trajectoryId = (value: string): TrajectoryId => fileSafe('trajectory', value);
export const batchId = (value: string): BatchId => fileSafe('batch', value);
export const desktopId = (value: string): DesktopId => fileSafe('desktop', value);
export const workerId = (value: string): WorkerId => fileSafe('worker', value);

export const version = (value: number): Version => {
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new RangeError(`${value} is no weights version: versions are whole numbers that count up from 0`);
  }
  return value as Version;
};

export const seed = (value: number): Seed => {
  if (!Number.isInteger(value) || value < 0 || value > 0xffff_ffff) {
    throw new RangeError(`${value} is no seed: give a whole number from 0 to 4294967295`);
  }
  return value as Seed;
};

// Our own ids become file names and container labels on every system, hence the narrow alphabet.
const fileSafe = <Name extends string>(kind: Name, value: string): Brand<string, Name> => {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(value)) {
    throw new RangeError(
      `${shown(value)} is no ${kind} id: give 1 to 128 of A-Z a-z 0-9 . _ - that begin with a letter or digit`,
    );
  }
  return value as Brand<string, Name>;
};

const hasControlCharacter = (value: string): boolean => /\p{Cc}/u.test(value);

const shown = (value: string): string =>
  JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value) ?? String(value);
