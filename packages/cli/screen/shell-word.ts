/** A text as one word of a command that is suggested: quoted unless it is plain, so that no shell sees more in it (POSIX, 2.2.2). */
export const shellWord = (text: string): string =>
  /^[\w.:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
