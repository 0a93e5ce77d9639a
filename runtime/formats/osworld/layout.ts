// The layout of OSWorld's results: ACTION_SPACE/OBSERVATION_TYPE/MODEL/DOMAIN/TASK/ with traj.jsonl, result.txt and step_N.png. Pure.

import * as z from 'zod';
import type { Trajectory } from '../../core/trajectory.ts';
import { about } from '../../data/files/schema.ts';

/** The actions of traj.jsonl are pyautogui code. */
export const ACTION_SPACE = 'pyautogui';
export const RESULT_NAME = 'result.txt';
/** The fields that OSWorld's layout lacks: the task, its seed, the instruction and the purpose of the episode. */
export const ABOUT_NAME = 'dartboard.json';

const FORMAT = 'dartboard-osworld-1';
export const osworldAbout = about.extend({ format: z.literal(FORMAT) });
export type OsworldAbout = z.output<typeof osworldAbout>;

export const aboutText = (trajectory: Trajectory): string =>
  `${JSON.stringify({ format: FORMAT, ...about.parse(trajectory) }, undefined, 1)}\n`;
