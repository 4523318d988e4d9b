/**
 * What the bundle puts in the place of the SDK's own platform module, which brings a JSON Schema
 * validator of 150 kB: nothing here ever calls it, see `server.ts`.
 */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new TypeError('The bundle has no validator.');
  }
}

const { process } = globalThis;
export { process };
