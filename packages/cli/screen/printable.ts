// Control characters could manipulate the terminal; the others reverse or hide text.
const unsafe = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/gu

/**
 * An untrusted text on one line, without characters that manipulate a terminal or mislead its
 * reader.
 */
export const printable = (text: string): string => text.toWellFormed().replace(unsafe, ' ').trim()
