import { type RefusalData, refusalData } from '../../base/errors.ts'

/** The refusals that a provider's reasons lead to; every other reason is a declined card. */
const codes = {
  amount_too_small: 'fee_too_small',
  authentication_required: 'card_needs_confirmation',
  currency_not_supported: 'fee_currency_unsupported',
  expired_card: 'card_expired',
  not_received: 'card_no_answer',
} as const

const isListed = (reason: string): reason is keyof typeof codes => Object.hasOwn(codes, reason)

/** Every refusal of a booking whose fee could not be authorised on the account's card. */
export const feeRefusals = ['card_declined', ...Object.values(codes)] as const

/** Why a booking is refused whose fee could not be authorised, from the provider's reason. */
export const feeRefusal = (reason: string): RefusalData =>
  refusalData(isListed(reason) ? codes[reason] : 'card_declined', undefined, { reason })
