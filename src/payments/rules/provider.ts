/**
 * What a provider says of a charge. `open`: its page waits for the customer. `unknown`: no answer,
 * so the charge may have happened. `absent`: the provider has never received it.
 */
export type Charge = {
  state: 'open' | 'processing' | 'succeeded' | 'failed' | 'unknown' | 'absent'
  /** the provider’s id of the charge, once there is one */
  providerId?: string | undefined
  /** the way to pay that the customer left for later charges */
  methodId?: string | undefined
  /** why it failed, in the provider’s word */
  reason?: string | undefined
}

/** A hosted page on which a customer pays, or only leaves a way to pay. */
type PageRequest = {
  /** the payment, or the setup if there is no amount */
  id: string
  customerId: string
  pays: (Money & { description: string }) | null
  /** where the page returns to */
  returnUrl: string
  at: Date
}

type Money = { amountMinor: number; currency: string }

/** A charge of the way to pay that a customer left. */
type ChargeRequest = Money & {
  paymentId: string
  customerId: string
  methodId: string
  description: string
  /** the same for each attempt to send the same charge, so that it happens once */
  idempotencyKey: string
  at: Date
}

/** By what a provider finds a charge. */
type ChargeRef = {
  paymentId: string
  customerId: string
  pageId: string | null
  providerId: string | null
  at: Date
}

export type RefundRequest = Money & {
  refundId: string
  chargeId: string
  idempotencyKey: string
  at: Date
}

/** What a provider says of a refund; the words mean the same as those of a charge. */
export type Refunded = {
  state: 'processing' | 'succeeded' | 'failed' | 'unknown' | 'absent'
  providerId?: string | undefined
  reason?: string | undefined
}

/** What a provider tells by itself. It says where to look, never what is true. */
export type ProviderEvent = {
  id: string
  type: string
  paymentId: string | null
  refundId: string | null
  setupId: string | null
}

/** Everything that the network asks of a provider. No answer in time is an answer: `unknown`. */
export type PaymentProvider = {
  /** `local` moves no money: it is for trying things out */
  name: 'stripe' | 'local'
  createCustomer(of: { accountId: string; name: string }): Promise<string>
  openPage(page: PageRequest): Promise<{ id: string; url: string }>
  /** Makes a page refuse payment. One that was paid before stays paid. */
  closePage(pageId: string): Promise<void>
  /** The way to pay that was left on a page without an amount; undefined until then. */
  readSetup(pageId: string): Promise<string | undefined>
  charge(charge: ChargeRequest): Promise<Charge>
  readCharge(charge: ChargeRef): Promise<Charge>
  refund(refund: RefundRequest): Promise<Refunded>
  readRefund(refund: RefundRequest & { providerId: string | null }): Promise<Refunded>
  /** Undefined unless the signature is the provider’s and at most 5 minutes old. */
  readEvent?(body: Buffer, signature: string, at: Date): ProviderEvent | undefined
}
