// The entry of a process that plays rounds of the scale benchmark: a fleet has the heap that the program would give it.

import { serveChild } from '../../rpc/child-server.ts';
import { played, type Round, type RoundOptions } from './round.ts';

export type RoundCalls = { readonly play: { readonly takes: RoundOptions; readonly gives: Round } };

await serveChild<RoundCalls, undefined>(async () => ({ about: undefined, handlers: { play: played } }));
