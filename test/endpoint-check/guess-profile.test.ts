import { expect, test } from 'vitest';
import { guessProfile } from '../../runtime/endpoint-check/guess-profile.ts';

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
  ['gpt-x', 'generic'],
  ['SmolLM2-135M', 'generic'],
])('%s has the profile %s', (model, profile) => expect(guessProfile(model)).toBe(profile));
