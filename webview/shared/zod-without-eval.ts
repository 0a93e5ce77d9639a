// The content security policy forbids compiling code at run time, so zod must not try. Imported before any schema is created.

import { config } from 'zod';

config({ jitless: true });
