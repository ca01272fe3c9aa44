// Controls could drive the terminal; the others turn the direction of text or hide it.
const unsafe = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/gu

/** A text of a stranger on one line, without what could drive a terminal or mislead its reader. */
export const printable = (text: string): string => text.toWellFormed().replace(unsafe, ' ').trim()
