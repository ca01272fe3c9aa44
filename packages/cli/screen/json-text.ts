// JSON escapes U+0000 to U+001F; a terminal may also obey these (ECMA-48, C1).
const rest = /[\u007f-\u009f]/g

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** A JSON document that is safe on a terminal and parses to the same value. */
export const jsonText = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(rest, escaped)
