// Every operation there is, in one place to import from.

export * from './arrange.ts';
export * from './conv.ts';
export * from './elementwise.ts';
export * from './matmul.ts';
export * from './normalize.ts';
export * from './reduce.ts';
export * from './select.ts';
