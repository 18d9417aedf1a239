/** The schema of a body that has these members; those of `optional` may be missing. */
export const bodyOf = (properties: object, optional: readonly string[] = []): object => ({
  type: "object",
  additionalProperties: false,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
});

export const NAME = { type: "string", minLength: 1, maxLength: 200, pattern: "\\S" } as const;
