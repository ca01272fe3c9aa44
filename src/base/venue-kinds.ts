export const confirmModes = ['auto', 'http', 'request'] as const
export type ConfirmMode = (typeof confirmModes)[number]

export const categories = ['restaurant', 'bar', 'gym', 'spa'] as const
export type Category = (typeof categories)[number]
