import type { jsonSchemaValidator } from '@modelcontextprotocol/server';

/**
 * The SDK checks what a user types into a form that a server asked for. This server asks for
 * nothing, so the validator that it would load, a third of the program, is left out.
 */
export const noValidator: jsonSchemaValidator = {
  getValidator() {
    throw new TypeError('This server asks its users for nothing.');
  },
};
