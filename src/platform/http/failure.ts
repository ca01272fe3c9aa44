import { type FailureKind, failureTexts } from '../../base/http-failures.ts'

/**
 * The only error that `send` throws for failures of venues, subscribers and the network. If `sent`
 * is false, no byte of the request was sent; if true, the other side may have received it.
 */
export class OutboundError extends Error {
  readonly kind: FailureKind
  readonly sent: boolean
  /** excluding the wait for a socket */
  readonly ms: number
  constructor(kind: FailureKind, { what = '', sent = false, ms = 0 } = {}) {
    super(what || failureTexts[kind])
    this.name = 'OutboundError'
    this.kind = kind
    this.sent = sent
    this.ms = ms
  }
}
