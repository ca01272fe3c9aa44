export const confirmModes = ['auto', 'http', 'request'] as const
export type ConfirmMode = (typeof confirmModes)[number]

export const categories = ['restaurant', 'bar', 'gym', 'spa'] as const
export type Category = (typeof categories)[number]

/** What a guest would call a service. */
export const serviceKinds = ['table', 'area', 'class', 'treatment', 'floor', 'other'] as const
export const priceUnits = ['guest', 'booking', 'hour'] as const
/** `excluded` is what menus write as "++". */
export const taxTerms = ['included', 'excluded'] as const
export type ServiceKind = (typeof serviceKinds)[number]
export type PriceUnit = (typeof priceUnits)[number]
export type TaxTerms = (typeof taxTerms)[number]
