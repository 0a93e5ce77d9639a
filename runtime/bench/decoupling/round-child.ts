// The entry of a child process that plays rounds of the scale benchmark.

import { serveChild } from '../../rpc/child-server.ts';
import { playRound, type RoundOptions, type ScaleRound } from './round.ts';

export type RoundCalls = { readonly play: { readonly takes: RoundOptions; readonly gives: ScaleRound } };

await serveChild<RoundCalls, undefined>(async () => ({ about: undefined, handlers: { play: playRound } }));
