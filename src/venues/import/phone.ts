import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max'
import { quoted } from '../../contract/safe-text.ts'

/**
 * Reads a phone number in any notation of its country, as E.164. Of several, separated as in
 * OpenStreetMap, the first is taken. A number with a country code must have a possible length;
 * one without must exist in the country's numbering plan.
 */
export function readPhone(text: string, country: string): { value: string } | { problem: string } {
  // In a CSV export, an apostrophe keeps spreadsheets from reading the number as a formula.
  const [number = ''] = text.replace(/^\s*'/, '').split(';')
  const plain = number
    .replace(/^\s*tel:/i, '')
    .trim()
    .replace(/^00(?=[1-9])/, '+')
  const candidates = /^[1-9]/.test(plain) ? [`+${plain}`, plain] : [plain]
  const match = candidates
    .map((candidate) => parsed(candidate, country))
    .find((phone) => phone && (plain.startsWith('+') ? phone.isPossible() : phone.isValid()))
  if (!match) {
    const code = isSupportedCountry(country) ? `, as in +${getCountryCallingCode(country)} …` : ''
    const form = `write it with its country code${code}`
    return { problem: `${quoted(text)} is not a phone number of ${country}; ${form}` }
  }
  if (match.ext) return { problem: `${quoted(text)} has an extension; leave it out` }
  return { value: match.number }
}

const parsed = (text: string, country: string) =>
  parsePhoneNumberFromString(text, { defaultCountry: country as CountryCode, extract: false })
