/**
 * What operations need of the way out, which they may not reach themselves: the rules for addresses, and secrets. Sealed texts can be
 * stored; plain ones must not be, nor logged, nor answered more than once.
 */
export type Egress = {
  /** What is wrong with a URL that no look-up could mend, as a sentence; undefined when nothing is. Names are judged again at each attempt. */
  urlFault(url: string): string | undefined
  /** A new signing secret, `whsec_…`. */
  newSecret(): string
  /** Whether a text is a signing secret: `whsec_` and 24 to 64 bytes in base64. */
  isSecret(text: string): boolean
  /** Whether two signing secrets are one key, whatever their padding. */
  isSameSecret(one: string, other: string): boolean
  /** `context` names the row: it opens with the same context only. */
  seal(plain: string, context: string): string
  open(sealed: string, context: string): string
  /**
   * Digests that say nothing about a text to whoever lacks SECRETS_KEY, one for each of its keys: store the first, compare with all.
   */
  digests(text: string): Buffer[]
}
