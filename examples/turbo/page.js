// Turbo puts streams and pages into elements as strings, which Trusted Types let pass by a policy of this name alone. This one lets
// HTML pass, for the factory's cells are safe as they are, and no string that would be a script or its address.
globalThis.trustedTypes?.createPolicy("default", { createHTML: (html) => html });
