// The page may not compile code at run time, so zod must not try to. Imported before anything that makes a schema.

import { config } from 'zod';

config({ jitless: true });
