// Every operation there is, in one place to import from. The files import each other in circles on purpose: a gradient is
// written with the operations of the others.

export * from './arrange.ts';
export * from './conv.ts';
export * from './elementwise.ts';
export * from './logic.ts';
export * from './matmul.ts';
export * from './normalize.ts';
export * from './reduce.ts';
export * from './select.ts';
