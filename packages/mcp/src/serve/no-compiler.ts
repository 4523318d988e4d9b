import { z } from 'zod';

// zod compiles a schema when it is first used. That does not pay off here, because a tool server
// starts for each conversation and uses most schemas once. Import this module first.
z.config({ jitless: true });
