// Ids. Each kind has its own branded type, so that a task id cannot be passed as a trajectory id. Constructors validate and brand; they
// do not generate ids.

declare const brand: unique symbol;

export type Brand<Base, Name extends string> = Base & { readonly [brand]: Name };

export type TaskId = Brand<string, 'task'>;
export type RunId = Brand<string, 'run'>;
export type OrderId = Brand<string, 'order'>;
export type GroupId = Brand<string, 'group'>;
export type TrajectoryId = Brand<string, 'trajectory'>;
export type BatchId = Brand<string, 'batch'>;
export type DesktopId = Brand<string, 'desktop'>;

/** The number of published weights: a run starts at 0, and each publication adds 1. */
export type Version = Brand<number, 'version'>;

/** Selects an instance of a task. It has 32 bits, which JSON and every random generator support. */
export type Seed = Brand<number, 'seed'>;

/** Task ids come from third-party files, so nearly all characters are valid. */
export const taskId = (value: string): TaskId => {
  if (value.trim() === '' || value.length > 200 || hasControlCharacter(value)) {
    throw new RangeError(
      `Invalid task id ${quoted(value)}. Use 1 to 200 characters that are not all blank, without control characters.`,
    );
  }
  return value as TaskId;
};

export const runId = (value: string): RunId => fileSafe('run', value);
export const isRunId = (value: string): value is RunId => FILE_SAFE.test(value);
export const orderId = (value: string): OrderId => fileSafe('order', value);
export const groupId = (value: string): GroupId => fileSafe('group', value);
export const trajectoryId = (value: string): TrajectoryId => fileSafe('trajectory', value);
export const batchId = (value: string): BatchId => fileSafe('batch', value);
export const desktopId = (value: string): DesktopId => fileSafe('desktop', value);

export const version = (value: number): Version => {
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new RangeError(`Invalid weights version ${value}. Use an integer of at least 0.`);
  }
  return value as Version;
};

export const seed = (value: number): Seed => {
  if (!Number.isInteger(value) || value < 0 || value > 0xffff_ffff) {
    throw new RangeError(`Invalid seed ${value}. Use an integer from 0 to 4294967295.`);
  }
  return value as Seed;
};

// These ids become file names and container labels on every system, so few characters are valid.
const FILE_SAFE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

const fileSafe = <Name extends string>(kind: Name, value: string): Brand<string, Name> => {
  if (!FILE_SAFE.test(value)) {
    throw new RangeError(
      `Invalid ${kind} id ${quoted(value)}. Use 1 to 128 of the characters A-Z a-z 0-9 . _ - and start with a letter or digit.`,
    );
  }
  return value as Brand<string, Name>;
};

const hasControlCharacter = (value: string): boolean => /\p{Cc}/u.test(value);

const quoted = (value: string): string =>
  JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value) ?? String(value);
