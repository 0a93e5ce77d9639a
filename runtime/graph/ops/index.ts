// Re-exports all operations. The files of this folder import each other cyclically on purpose: the gradient of one operation uses
// operations of other files.

export * from './arrange.ts';
export * from './elementwise.ts';
export * from './logic.ts';
export * from './matmul.ts';
export * from './normalize.ts';
export * from './reduce.ts';
export * from './select.ts';
