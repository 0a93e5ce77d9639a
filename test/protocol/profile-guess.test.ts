import { expect, test } from 'vitest';
import { guessProfile } from '../../runtime/protocol/profile-guess.ts';

test.each([
  ['ByteDance-Seed/UI-TARS-1.5-7B', 'ui-tars-1.5'],
  ['ui-tars-1.5-7b-q4_k_m.gguf', 'ui-tars-1.5'],
  ['dart-gui-7b', 'ui-tars-1.5'],
  ['UI-TARS-7B-DPO', 'ui-tars-1.0'],
  ['Qwen/Qwen2.5-VL-7B-Instruct', 'qwen2.5-vl'],
  ['Qwen/Qwen3-VL-8B-Instruct', 'qwen3-vl'],
  ['qwen3.5-9b', 'qwen3-vl'],
  ['mPLUG/GUI-Owl-1.5-8B', 'gui-owl-1.5'],
  ['xlangai/OpenCUA-7B', 'opencua'],
  ['meituan/EvoCUA-8B', 'evocua'],
  ['Qwen/Qwen2.5-VL-7B-Instruct-AWQ', 'qwen2.5-vl'],
  ['qwen2.5vl:7b', 'qwen2.5-vl'],
  ['Hcompany/Holo3-35B-A3B', 'qwen3-vl'],
  // A text model, and an earlier version with other coordinates.
  ['Qwen/Qwen3-8B', 'generic'],
  ['mPLUG/GUI-Owl-7B', 'generic'],
  // Served by Dartboard.
  ['compact', 'ui-tars-1.5'],
  ['compact-v120', 'ui-tars-1.5'],
  ['micro', 'micro'],
  ['microsoft/phi-4', 'generic'],
  ['gpt-x', 'generic'],
  ['SmolLM2-135M', 'generic'],
])('%s has the profile %s', (model, profile) => expect(guessProfile(model)).toBe(profile));
