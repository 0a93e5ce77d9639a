// All routes of the guest API, and how one request becomes a reply.

import { errorAnswer, type GuestAnswer, jsonAnswer } from './answer.ts';
import { CallError, type GuestCall, type GuestRoutes } from './guest-call.ts';
import { COMMAND_ROUTES } from './routes/command-routes.ts';
import { FILE_ROUTES } from './routes/file-routes.ts';
import { MISSING_ROUTES } from './routes/missing-routes.ts';
import { SCREEN_ROUTES } from './routes/screen-routes.ts';
import { WINDOW_ROUTES } from './routes/window-routes.ts';
import { DesktopLost, REVERT_PATH, type ServedDesktop } from './served-desktop.ts';

export const ROUTES: GuestRoutes = {
  ...SCREEN_ROUTES,
  ...COMMAND_ROUTES,
  ...FILE_ROUTES,
  ...WINDOW_ROUTES,
  ...MISSING_ROUTES,
};

/** Rejects only with errors of Dartboard itself. */
export async function answerCall(
  desktop: ServedDesktop,
  method: string,
  call: GuestCall,
): Promise<GuestAnswer> {
  const route = Object.hasOwn(ROUTES, call.path) ? ROUTES[call.path] : undefined;
  const wanted = call.path === REVERT_PATH ? 'POST' : route?.method;
  if (wanted === undefined)
    return errorAnswer(`Nothing is served at ${JSON.stringify(call.path)}. See docs/osworld.md.`, 404);
  if (method !== wanted)
    return errorAnswer(`${call.path} does not support the method ${method}. Use ${wanted}.`, 405);
  try {
    if (route !== undefined) return await desktop.use(machine => route.run(machine, call));
    await desktop.revert();
    return jsonAnswer({ status: 'success' });
  } catch (error) {
    if (error instanceof CallError) return error.answer;
    if (error instanceof DesktopLost) return errorAnswer(error.message, 503);
    throw error;
  }
}
