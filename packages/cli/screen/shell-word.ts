/** Quotes a text as one shell word for a suggested command (POSIX, 2.2.2). */
export const shellWord = (text: string): string =>
  /^[\w.:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
