import { z } from 'zod';

// zod compiles a schema when it is first used. That pays off in a service; a tool server is started
// for each conversation, uses most schemas once, and must answer within a blink. Imported first.
z.config({ jitless: true });
