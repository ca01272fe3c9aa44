type Variables = {
  NODE_ENV: string
  WHATSAPP_PHONE_NUMBER_ID?: string | undefined
  WHATSAPP_TOKEN?: string | undefined
  WHATSAPP_APP_SECRET?: string | undefined
  WHATSAPP_VERIFY_TOKEN?: string | undefined
  WHATSAPP_API_URL?: string | undefined
}

/** Meta keeps a version of its API for two years. */
const API_URL = 'https://graph.facebook.com/v24.0'

/** The network's number at the Cloud API, and what proves that a webhook is Meta's. */
export type WhatsAppSettings = {
  apiUrl: string
  phoneNumberId: string
  token: string
  appSecret: string
  verifyToken: string
}

/** The settings; undefined if the network sends no WhatsApp messages. */
export function whatsAppOf(variables: Variables): WhatsAppSettings | undefined {
  const { WHATSAPP_PHONE_NUMBER_ID: phoneNumberId, WHATSAPP_TOKEN: token } = variables
  const { WHATSAPP_APP_SECRET: appSecret, WHATSAPP_VERIFY_TOKEN: verifyToken } = variables
  if (!phoneNumberId || !token || !appSecret || !verifyToken) return undefined
  const apiUrl = variables.WHATSAPP_API_URL ?? API_URL
  return { apiUrl, phoneNumberId, token, appSecret, verifyToken }
}

const together = [
  'WHATSAPP_PHONE_NUMBER_ID',
  'WHATSAPP_TOKEN',
  'WHATSAPP_APP_SECRET',
  'WHATSAPP_VERIFY_TOKEN',
] as const

/** Faults in the combination of these variables: the variable and the remedy. */
export function whatsAppFaults(
  variables: Variables,
): { path: [keyof Variables]; message: string }[] {
  const missing = together.filter((name) => !variables[name])
  const isPlain = variables.WHATSAPP_API_URL?.startsWith('http:')
  const message = 'must be https:// in production'
  if (variables.NODE_ENV === 'production' && isPlain)
    return [{ path: ['WHATSAPP_API_URL'], message }]
  if (missing.length === 0 || missing.length === together.length) return []
  const given = together.filter((name) => variables[name])
  return missing.map((name) => ({
    path: [name],
    message: `must be given with ${given.join(' and ')}`,
  }))
}
