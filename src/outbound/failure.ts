/** What an operator and a subscriber are told about a request that got no answer; no address that a name resolved to is in it. */
export const failureTexts = {
  refused_url: 'The URL is not acceptable.',
  refused_address: 'The address is not a public one.',
  dns: 'The name could not be resolved.',
  busy: 'No socket became free in time on our side.',
  connect: 'No connection could be made.',
  tls: 'The TLS handshake failed.',
  timeout: 'There was no complete answer before the deadline.',
  broken: 'The connection ended before the answer was complete.',
  bad_answer: 'The answer is not acceptable HTTP/1.1.',
  aborted: 'The request was called off on our side.',
} as const

export type FailureKind = keyof typeof failureTexts

/**
 * The only error that `send` throws for what venues, subscribers and the network do. `sent` false
 * promises that no byte of the request left; true means that the other side may have received it.
 */
export class OutboundError extends Error {
  readonly kind: FailureKind
  readonly sent: boolean
  /** from taking a socket's place to the failure */
  readonly ms: number
  constructor(kind: FailureKind, { what = '', sent = false, ms = 0 } = {}) {
    super(what || failureTexts[kind])
    this.name = 'OutboundError'
    this.kind = kind
    this.sent = sent
    this.ms = ms
  }
}
